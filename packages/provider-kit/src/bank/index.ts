export { because, documentAnswer, refusal, withAsciiLetter } from './account-answers.js'
export type { AccountBank, BankOfAccount } from './account-bank.js'
export type {
  BankConnection,
  BankNotices,
  BankProvider,
  BankSimulator,
  BankTools,
  NoticeAddress,
  NoticeRegistration,
} from './bank-provider.js'
export {
  type BankBoleto,
  type BoletoBank,
  type BoletoCodes,
  type BoletoName,
  type BoletoOrder,
  type BoletoPayer,
  type BoletoPayerAddress,
  type BoletoPayment,
  type BoletoReference,
  type ChargePayer,
  drawBoletoName,
} from './boleto-bank.js'
export {
  type RegisteredBoleto,
  barcodeOfLine,
  boletoBarcode,
  digitableLine,
  printedLine,
  santanderFreeField,
  weightedSum,
} from './boleto-code.js'
export type {
  BoletoFileBank,
  BoletoInstruction,
  KeptInstruction,
  Remittance,
} from './boleto-file-bank.js'
export { type PixCharge, crc16, payerCode, pixCode } from './br-code.js'
export {
  type PixBank,
  type PixBankCharge,
  type PixBankPayment,
  type PixBankRefund,
  type PixChargeOrder,
  type PixPaymentPage,
  type PixReceiver,
  type PixRefundName,
  type PixRefundOrder,
  type PixTxid,
  drawTxid,
} from './pix-bank.js'
export type {
  HeldTotal,
  ReturnFile,
  ReturnHeader,
  ReturnLine,
  ReturnLineKind,
  ReturnTotal,
} from './return-file.js'
export { type NamedLine, bareNumber, namedLines, paymentIdOf } from './return-lines.js'
export { settledLines } from './return-settlement.js'
