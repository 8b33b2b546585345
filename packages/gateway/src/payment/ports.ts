// What use cases are made with, beside the ports that have a file of their own.
import type { RequestPolicy } from '@cofre/contracts'
import type { Ledger } from '../ledger/ledger.js'
import type { AppliedCardChange, ChangeEnd } from '../model/card/card-change.js'
import type { SignatureForm } from '../model/merchant/merchant.js'
import type { DeclineLimit } from '../model/purchase/decline-limits.js'
import type { Transaction } from '../model/transaction/transaction.js'

/**
 * How a signature may spell the body's digest: as the specification has it for the interface, or
 * either way (specification, decision 7 of section 10).
 */
export type SignatureDigestRule = 'spec' | 'any'

/** What requests are judged by, beside their store's own rules. */
export type RequestRules = Omit<RequestPolicy, 'today' | 'refusesCardReferences'>

/** Draws a uniform integer from 0 up to, not including, the limit. */
export type RandomBelow = (limit: number) => number

/** Resolves after so many milliseconds of the machine's time. */
export type Pause = (durationMs: number) => Promise<void>

/** The country of an address on the internet. */
export type CountryOf = (address: string) => string | undefined

/** An acquirer's time for refunds depends on this. */
export interface AcquirerSale extends Pick<Transaction, 'installments'> {
  /** `adyen` */
  readonly provider: string
  readonly brand: string
}

/** Days after a sale in which its acquirer refunds it; undefined where they are not known. */
export type RefundDays = (sale: AcquirerSale) => Promise<number | undefined>

/** Called for each card payment that is refused for the declines before it. */
export type LimitListener = (limit: DeclineLimit) => void

/** Called for each change that an acquirer reports of a charge, with its end. */
export type ChangeListener = (kind: AppliedCardChange['kind'], end: ChangeEnd) => void

/** Called for each request whose signature is right. */
export type SignatureListener = (form: SignatureForm) => void

// The stores of one environment's database.
export type CardChangeStore = Ledger['cardChanges']
export type FieldAnnouncements = Ledger['fieldAnnouncements']
export type IdempotencyStore = Ledger['idempotency']
export type KeyDigests = Ledger['keyDigests']
export type MerchantStore = Ledger['merchants']
export type NonceStore = Ledger['nonces']
export type RefundStore = Ledger['refunds']
export type TransactionStore = Ledger['transactions']
