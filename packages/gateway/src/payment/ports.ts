// Dependencies of use cases, beside the ports with files of their own.
import type { RequestPolicy } from '@cofre/contracts'
import type { Ledger } from '../ledger/ledger.js'
import type { AppliedCardChange, ChangeEnd } from '../model/card/card-change.js'
import type { SignatureForm } from '../model/merchant/merchant.js'
import type { DeclineLimit } from '../model/purchase/decline-limits.js'
import type { CaptureOutcome } from '../model/transaction/capture.js'
import type { Transaction } from '../model/transaction/transaction.js'

/**
 * How a signature may write the body's digest: as specified for the interface, or either way
 * (specification, decision 7 of section 10).
 */
export type SignatureDigestRule = 'spec' | 'any'

/** Rules for requests, beside their store's own. */
export type RequestRules = Omit<RequestPolicy, 'today' | 'refusesCardReferences'>

/** Draws a uniform integer from 0 up to, not including, the limit. */
export type RandomBelow = (limit: number) => number

/** Sleeps for the given milliseconds of the machine's time. */
export type Pause = (durationMs: number) => Promise<void>

/** The country of an internet address. */
export type CountryOf = (address: string) => string | undefined

/** The facts that an acquirer's time for refunds depends on. */
export interface AcquirerSale extends Pick<Transaction, 'installments'> {
  /** `adyen` */
  readonly provider: string
  readonly brand: string
}

/** Days after a sale in which its acquirer refunds it; undefined if unknown. */
export type RefundDays = (sale: AcquirerSale) => Promise<number | undefined>

/** Called for each card payment that earlier declines block. */
export type LimitListener = (limit: DeclineLimit) => void

/** Called for each change that an acquirer reports of a charge, with its outcome. */
export type ChangeListener = (kind: AppliedCardChange['kind'], end: ChangeEnd) => void

/** Called for each end of an authorized payment, and for each refusal to end one. */
export type CaptureListener = (outcome: CaptureOutcome) => void

/** Called for each request whose signature is right. */
export type SignatureListener = (form: SignatureForm) => void

// The stores of one environment's database.
export type CaptureStore = Ledger['captures']
export type CardChangeStore = Ledger['cardChanges']
export type DeclineLedger = Ledger['declines']
export type FieldAnnouncements = Ledger['fieldAnnouncements']
export type IdempotencyStore = Ledger['idempotency']
export type KeyDigests = Ledger['keyDigests']
export type MerchantStore = Ledger['merchants']
export type NonceStore = Ledger['nonces']
export type PayerBlocks = Ledger['payerBlock']
export type RefundStore = Ledger['refunds']
export type TransactionStore = Ledger['transactions']
