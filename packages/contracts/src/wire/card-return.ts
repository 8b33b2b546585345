// Captures, voids and refunds of charges, and acquirers' own reports on charges.
import { z } from 'zod'
import { DECIMAL_CODE } from '../transaction/limits.js'
import type { Environment } from '../value/environment.js'
import { minorUnits } from '../value/money.js'
import { type CardPayments, answeredSchema, orderKeySchema } from './card-authorization.js'
import type { CardFields } from './field-settings.js'

const amountSchema = z.int().nonnegative().transform(minorUnits)

/** One refund of a charge. */
export const cardRefundSchema = orderKeySchema.extend({
  merchantId: z.string().min(1),
  /** Idempotency key. */
  refundId: z.string().regex(DECIMAL_CODE),
  /** Part of the charged amount, which includes interest. */
  amountMinor: amountSchema,
  /** The store's own identifier, if it gave one. */
  reference: z.string().optional(),
  /**
   * Distinguishes refunds of a charge, whatever id a restored gateway gives them. Absent if the
   * reference is enough.
   */
  identity: z.string().max(64).optional(),
})
export type CardRefundOrder = Readonly<z.output<typeof cardRefundSchema>>

export const cardRefundAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done') }),
  /** Accepted, or the outcome is unknown: ask again later. A change may also report its end. */
  z.strictObject({
    kind: z.literal('in_process'),
    detail: z.string().optional(),
    /** Earliest time at which the acquirer makes the refund, if it does not make it yet. */
    notBeforeMs: z.int().optional(),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    /** One redacted line for an operator. */
    detail: z.string(),
  }),
  /** No account charged it: the sandbox simulated it, or it is older than accounts. */
  z.strictObject({ kind: z.literal('no_charge') }),
])
export type CardRefundAnswer = Readonly<z.output<typeof cardRefundAnswerSchema>>

/** The capture of an authorized charge: all of it, or a part; the rest is released. */
export const cardCaptureSchema = orderKeySchema.extend({
  merchantId: z.string().min(1),
  /** At most the charged amount, which includes interest. */
  amountMinor: amountSchema,
})
export type CardCaptureOrder = Readonly<z.output<typeof cardCaptureSchema>>

/** The release of an authorized charge. */
export const cardVoidSchema = orderKeySchema.extend({ merchantId: z.string().min(1) })
export type CardVoidOrder = Readonly<z.output<typeof cardVoidSchema>>

export const captureAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done') }),
  /** Accepted, or the outcome is unknown: ask again later. A change also reports its end. */
  z.strictObject({ kind: z.literal('in_process'), detail: z.string().optional() }),
  /** The charge stays authorized. */
  z.strictObject({
    kind: z.literal('refused'),
    /** One redacted line for an operator. */
    detail: z.string(),
  }),
  /** The other operation, or another amount, came first: a charge is captured or voided once. */
  z.strictObject({ kind: z.literal('overtaken'), by: z.enum(['capture', 'void']) }),
  /** Its acquirer has released the authorization: nothing is captured. */
  z.strictObject({ kind: z.literal('released') }),
  /** No account authorized it: the sandbox simulated it. */
  z.strictObject({ kind: z.literal('no_charge') }),
])
/** The result of a capture or a void. */
export type CaptureAnswer = Readonly<z.output<typeof captureAnswerSchema>>

const refundOutcomeSchema = z.enum(['PROCESSED', 'REJECTED'])

/** A change of a charge after its order was answered, confirmed by its account's acquirer. */
export const cardChangeSchema = z.strictObject({
  /** Applied once. */
  id: z.string(),
  transactionCode: z.string().regex(DECIMAL_CODE),
  atMs: z.int(),
  /** One redacted line for an operator. */
  detail: z.string().optional(),
  change: z.discriminatedUnion('kind', [
    /** The end of an order that was answered `pending`, `review` or `unknown`. */
    z.strictObject({ kind: z.literal('settled'), answer: answeredSchema }),
    /** An authorized charge is captured. */
    z.strictObject({ kind: z.literal('captured'), amountMinor: amountSchema }),
    /** A capture or a void was refused: the charge stays authorized. */
    z.strictObject({ kind: z.literal('still_authorized'), after: z.enum(['capture', 'void']) }),
    /** An authorized charge ends without a capture. */
    z.strictObject({
      kind: z.literal('released'),
      /** `expired`: its time was over. `provider`: people at the acquirer did it. */
      by: z.enum(['void', 'expired', 'provider']),
    }),
    /** An approved charge fails afterwards: the shop gets no money. */
    z.strictObject({ kind: z.literal('capture_failed') }),
    /**
     * Also for a refund that had ended differently. It names the requested refund, because a
     * gateway restored from an older copy may not know it.
     */
    z.strictObject({
      kind: z.literal('refund_ended'),
      ...cardRefundSchema.pick({
        refundId: true,
        amountMinor: true,
        reference: true,
        identity: true,
      }).shape,
      outcome: refundOutcomeSchema,
    }),
    /** A refund made by people at the acquirer. */
    z.strictObject({
      kind: z.literal('provider_refund'),
      /** The acquirer's id of the refund. */
      providerRefundId: z.string(),
      amountMinor: amountSchema,
      outcome: refundOutcomeSchema,
    }),
    /** No money has moved: the issuer asks, warns, or continues a dispute. */
    z.strictObject({ kind: z.literal('dispute_announced'), amountMinor: amountSchema }),
    z.strictObject({ kind: z.literal('charged_back'), amountMinor: amountSchema }),
    z.strictObject({ kind: z.literal('chargeback_reversed'), amountMinor: amountSchema }),
  ]),
})
export type CardChange = Readonly<z.output<typeof cardChangeSchema>>

/** Days whose payout files of an account were imported without a gap. */
export const coveredDaysSchema = z.strictObject({
  accountId: z.string().max(64),
  fromMs: z.int(),
  /** Not included. */
  untilMs: z.int(),
})
export type CoveredDays = Readonly<z.output<typeof coveredDaysSchema>>

/** The gateway's requests for existing charges. The vault implements it, like `CardPayments`. */
export interface CardReturns {
  /**
   * Requests a refund. The same refund again gets its current state, and no more money is returned.
   * A rejected promise means: ask again later.
   */
  refund(order: CardRefundOrder): Promise<CardRefundAnswer>
  /**
   * Captures an authorized charge, once. The same order again gets its current state. A rejected
   * promise means: ask again later.
   */
  capture(order: CardCaptureOrder): Promise<CaptureAnswer>
  /** Releases an authorized charge, unless a capture came first. */
  voidCharge(order: CardVoidOrder): Promise<CaptureAnswer>
  /**
   * The oldest unacknowledged changes, leased to the caller for a minute. A change may come again
   * until it is acknowledged.
   */
  changes(environment: Environment): Promise<readonly CardChange[]>
  /** Acknowledges changes, by their ids. Harmless when repeated. */
  acknowledge(environment: Environment, ids: readonly string[]): Promise<void>
  /**
   * Reports the accounts whose files also name chargebacks, so that charges of these days need not
   * be read again. Valid for three hours.
   */
  coverAccounts(environment: Environment, accounts: readonly CoveredDays[]): Promise<void>
}

/** All requests of the gateway to the vault. */
export interface CardService extends CardPayments, CardReturns, CardFields {}
