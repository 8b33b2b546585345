// Inter's books, beyond those of any bank with the API Pix.
import type { MinorUnits } from '@cofre/contracts'
import {
  type Book,
  type Change,
  type Receiver,
  type Records,
  enter,
} from '@cofre/pix-api/simulator-parts'
import type { BoletoTerms, Situation } from './wire.js'

export interface Boleto {
  readonly receiver: Receiver
  /** `codigoSolicitacao`, a UUID. */
  readonly code: string
  readonly terms: BoletoTerms
  readonly requestedMs: number
  /** The key that its Pix code pays; undefined for a boleto without one. */
  readonly pixKey?: string | undefined
  /** The time at which it is issued; undefined if a person issues it. */
  issueAtMs?: number | undefined
  situation: Situation
  changedMs: number
  /** True if its receiver got the notice of this situation, or none is sent. */
  isTold: boolean
  /** Set once it is issued. */
  codes?: BoletoCodes | undefined
  received?: Received | undefined
  cancelReason?: string | undefined
}

export interface BoletoCodes {
  readonly ourNumber: string
  readonly barcode: string
  readonly line: string
  /** Set if the account has a Pix key, and Pix was requested. */
  readonly pix?: { readonly txid: string; readonly location: string } | undefined
}

export interface Received {
  readonly amountMinor: MinorUnits
  /** Undefined if the receiver marked it by hand. */
  readonly origin?: 'BOLETO' | 'PIX' | undefined
  /** The end-to-end id of a payment by Pix. */
  readonly endToEndId?: string | undefined
}

/** A receiver's address for notices of its boletos. */
export interface Callback {
  readonly receiver: Receiver
  /** The number of the receiver's account. */
  readonly number: string
  readonly url: string
  readonly createdMs: number
  readonly changedMs: number
}

export interface InterRecords extends Records {
  /** By code, the oldest first; none is ever removed. */
  readonly boletos: Map<string, Boleto>
  /** By the receiver's CNPJ or CPF. */
  readonly callbacks: Map<string, Callback>
}

export interface InterChange extends Change {
  readonly boleto?: Boleto | undefined
  readonly callback?: Callback | undefined
  /** The receiver's CNPJ or CPF. */
  readonly removedCallback?: string | undefined
}

export interface InterBook extends Book, InterRecords {
  save(change: InterChange): void
}

export function enterAtInter(records: InterRecords, change: InterChange): void {
  const { boleto, callback, removedCallback } = change
  enter(records, change)
  if (boleto !== undefined) records.boletos.set(boleto.code, boleto)
  if (callback !== undefined) records.callbacks.set(callback.receiver.taxId, callback)
  if (removedCallback !== undefined) records.callbacks.delete(removedCallback)
}
