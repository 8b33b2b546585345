import type { BoletoName, PixTxid } from '@cofre/provider-kit/bank'

/**
 * Prefix of a boleto's name in its txid, which has at least 26 characters. A drawn txid has small
 * letters and no zero, so it can't look like a boleto's.
 */
const BOLETO_PREFIX = 'COFREBOLETO000000'
const BOLETO_TXID = /^COFREBOLETO000000[A-Z2-7]{15}$/

/** The txid of a boleto at its bank: stable and unique. */
export function txidOfBoleto(name: BoletoName): PixTxid {
  return `${BOLETO_PREFIX}${name}` as PixTxid
}

/** Our name of a txid: the boleto's name, or else the txid itself. */
export function nameOfTxid(txid: string): string {
  return BOLETO_TXID.test(txid) ? txid.slice(BOLETO_PREFIX.length) : txid
}
