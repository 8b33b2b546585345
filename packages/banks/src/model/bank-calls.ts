import type { Answer } from '@cofre/contracts'
import type { AccountBank, BoletoBank, PixBank } from '@cofre/provider-kit/bank'

/**
 * Makes one call of a bank. `name` identifies the call in metrics and traces, such as
 * `open_charge`.
 */
export type AroundCall = <T>(name: string, call: () => Promise<Answer<T>>) => Promise<Answer<T>>

/** The bank, each of its calls wrapped in `ask`. Writing a file is no call and stays unwrapped. */
export function aroundCalls(
  { pix, boleto, boletoFiles }: AccountBank,
  ask: AroundCall,
): AccountBank {
  return {
    pix: pix && aroundPix(pix, ask),
    boleto: boleto && aroundBoletos(boleto, ask),
    boletoFiles,
  }
}

function aroundPix(bank: PixBank, ask: AroundCall): PixBank {
  return {
    receiver: bank.receiver,
    openCharge: (order) => ask('open_charge', () => bank.openCharge(order)),
    findCharge: (txid, urgency) => ask('find_charge', () => bank.findCharge(txid, urgency)),
    removeCharge: (txid) => ask('remove_charge', () => bank.removeCharge(txid)),
    refund: (order) => ask('refund', () => bank.refund(order)),
    findRefund: (refund) => ask('find_refund', () => bank.findRefund(refund)),
    listPayments: (period, page) => ask('list_payments', () => bank.listPayments(period, page)),
  }
}

function aroundBoletos(bank: BoletoBank, ask: AroundCall): BoletoBank {
  const { slip, listNotices } = bank
  return {
    minimumMinor: bank.minimumMinor,
    receiver: bank.receiver,
    issue: (order) => ask('issue_boleto', () => bank.issue(order)),
    find: (boleto, urgency) => ask('find_boleto', () => bank.find(boleto, urgency)),
    cancel: (boleto) => ask('cancel_boleto', () => bank.cancel(boleto)),
    ...(slip !== undefined && { slip: (boleto) => ask('boleto_slip', () => slip(boleto)) }),
    ...(listNotices !== undefined && {
      listNotices: (fromMs, toMs) => ask('list_notices', () => listNotices(fromMs, toMs)),
    }),
    refund: (order) => ask('refund', () => bank.refund(order)),
    findRefund: (refund) => ask('find_refund', () => bank.findRefund(refund)),
  }
}
