// What Inter has in its books besides what any bank of the API Pix has.
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
  /** Whom its Pix code pays; undefined where it is to have none. */
  readonly pixKey?: string | undefined
  /** When it is issued by itself; without it a person issues it. */
  issueAtMs?: number | undefined
  situation: Situation
  changedMs: number
  /** Whether its receiver has taken the notice of this, or nobody is to be told. */
  isTold: boolean
  /** Once it was issued. */
  codes?: BoletoCodes | undefined
  received?: Received | undefined
  cancelReason?: string | undefined
}

export interface BoletoCodes {
  readonly ourNumber: string
  readonly barcode: string
  readonly line: string
  /** Where the account has a Pix key, and Pix was asked for. */
  readonly pix?: { readonly txid: string; readonly location: string } | undefined
}

export interface Received {
  readonly amountMinor: MinorUnits
  /** Undefined where the receiver has marked it by hand. */
  readonly origin?: 'BOLETO' | 'PIX' | undefined
  /** Of the payment by Pix. */
  readonly endToEndId?: string | undefined
}

/** Where a receiver wants to hear of its boletos. */
export interface Callback {
  readonly receiver: Receiver
  /** Of the receiver's account. */
  readonly number: string
  readonly url: string
  readonly createdMs: number
  readonly changedMs: number
}

export interface InterRecords extends Records {
  /** By code, the oldest first; none is ever taken out. */
  readonly boletos: Map<string, Boleto>
  /** By the receiver's CNPJ or CPF. */
  readonly callbacks: Map<string, Callback>
}

export interface InterChange extends Change {
  readonly boleto?: Boleto | undefined
  readonly callback?: Callback | undefined
  /** Its receiver's CNPJ or CPF. */
  readonly removedCallback?: string | undefined
}

export interface InterBook extends Book, InterRecords {
  keep(change: InterChange): void
}

export function enterAtInter(records: InterRecords, change: InterChange): void {
  const { boleto, callback, removedCallback } = change
  enter(records, change)
  if (boleto !== undefined) records.boletos.set(boleto.code, boleto)
  if (callback !== undefined) records.callbacks.set(callback.receiver.taxId, callback)
  if (removedCallback !== undefined) records.callbacks.delete(removedCallback)
}
