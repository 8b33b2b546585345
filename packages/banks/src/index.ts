export {
  type ChargeRecordOptions,
  type ChargeRecords,
  createChargeRecords,
} from './create-charge-records.js'
export { type Banks, createBankPageParts, createBanks } from './create-banks.js'
export { type AroundCall, aroundCalls } from './model/bank-calls.js'
export type { BoletoObjections } from './payment/ports.js'
export type { BankBacklog } from './sql/bank-backlog-sql.js'
export { removeCharge } from './sql/charge-intent-sql.js'
