import type { BoletoName, PixTxid } from '@cofre/provider-kit/bank'

/**
 * Before the name of a boleto in its txid, which has 26 letters at least. A txid that is drawn has
 * small letters and no zero, so that none of them is taken for a boleto's.
 */
const BOLETO_PREFIX = 'COFREBOLETO000000'
const BOLETO_TXID = /^COFREBOLETO000000[A-Z2-7]{15}$/

/** The txid of a boleto at its bank: always the same one, and no other boleto's. */
export function txidOfBoleto(name: BoletoName): PixTxid {
  return `${BOLETO_PREFIX}${name}` as PixTxid
}

/** Our name of what a bank has under a txid: of a boleto its name, else the txid itself. */
export function nameOfTxid(txid: string): string {
  return BOLETO_TXID.test(txid) ? txid.slice(BOLETO_PREFIX.length) : txid
}
