// Money that goes back to a card, and what acquirers report of charges by themselves.
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
  /** Of what was charged: interest included. */
  amountMinor: amountSchema,
  /** The store's own identifier, if it gave one. */
  reference: z.string().optional(),
  /**
   * What tells it from other refunds of the charge, whatever id a restored gateway gives it. Absent
   * where only the reference does.
   */
  identity: z.string().max(64).optional(),
})
export type CardRefundOrder = Readonly<z.output<typeof cardRefundSchema>>

export const cardRefundAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done') }),
  /** Accepted, or nobody knows: ask again later. Its end may also come as a change. */
  z.strictObject({
    kind: z.literal('in_process'),
    detail: z.string().optional(),
    /** When the acquirer makes it at the earliest, where it does not make it yet. */
    notBeforeMs: z.int().optional(),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    /** One redacted line for an operator. */
    detail: z.string(),
  }),
  /** No account has charged it: the sandbox played it, or it is from before accounts. */
  z.strictObject({ kind: z.literal('no_charge') }),
])
export type CardRefundAnswer = Readonly<z.output<typeof cardRefundAnswerSchema>>

const refundOutcomeSchema = z.enum(['PROCESSED', 'REJECTED'])

/** What became of a charge after its order was answered; its account's acquirer vouches for it. */
export const cardChangeSchema = z.strictObject({
  /** To be applied once. */
  id: z.string(),
  transactionCode: z.string().regex(DECIMAL_CODE),
  atMs: z.int(),
  /** One redacted line for an operator. */
  detail: z.string().optional(),
  change: z.discriminatedUnion('kind', [
    /** The end of an order that was answered `pending`, `review` or `unknown`. */
    z.strictObject({ kind: z.literal('settled'), answer: answeredSchema }),
    /** An approved charge is taken back: the shop gets no money. */
    z.strictObject({ kind: z.literal('capture_failed') }),
    /**
     * Also of a refund that had ended otherwise. It names what it was asked for: the gateway may
     * not know of it any more, restored from an older copy.
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
    /** A refund that people made at the acquirer. */
    z.strictObject({
      kind: z.literal('provider_refund'),
      /** The acquirer's name for it. */
      providerRefundId: z.string(),
      amountMinor: amountSchema,
      outcome: refundOutcomeSchema,
    }),
    /** Money has not moved: the issuer asks, warns, or a dispute goes on. */
    z.strictObject({ kind: z.literal('dispute_announced'), amountMinor: amountSchema }),
    z.strictObject({ kind: z.literal('charged_back'), amountMinor: amountSchema }),
    z.strictObject({ kind: z.literal('chargeback_reversed'), amountMinor: amountSchema }),
  ]),
})
export type CardChange = Readonly<z.output<typeof cardChangeSchema>>

/** Days of which files of an account's payouts were imported without a gap. */
export const coveredDaysSchema = z.strictObject({
  accountId: z.string().max(64),
  fromMs: z.int(),
  /** Not included. */
  untilMs: z.int(),
})
export type CoveredDays = Readonly<z.output<typeof coveredDaysSchema>>

/** What the gateway asks of charges that are made. Filled by the vault, as `CardPayments` is. */
export interface CardReturns {
  /**
   * Asks for a refund. Asked again with the same refund, it is answered as it then stands, and
   * nothing more goes back. A rejected promise means ask again later.
   */
  refund(order: CardRefundOrder): Promise<CardRefundAnswer>
  /**
   * The oldest changes that nobody has acknowledged; they are the caller's for a minute. A change
   * may come again until it is acknowledged.
   */
  changes(environment: Environment): Promise<readonly CardChange[]>
  /** Ends changes, by their ids. Harmless when repeated. */
  acknowledge(environment: Environment, ids: readonly string[]): Promise<void>
  /**
   * Says which accounts' files name chargebacks, too, so that charges of these days need not be
   * read again. Holds for three hours.
   */
  coverAccounts(environment: Environment, accounts: readonly CoveredDays[]): Promise<void>
}

/** All that the gateway asks of the vault. */
export interface CardService extends CardPayments, CardReturns, CardFields {}
