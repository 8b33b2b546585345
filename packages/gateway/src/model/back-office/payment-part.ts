// Rooms' additions to payments: on a page, in lists, in CSV files and in answers of the API. The
// core joins the registered parts, and knows only their names.
import type { SettlementKind } from '@cofre/contracts'
import type { AppliedCardChange } from '../card/card-change.js'
import type { BankChargeDetails } from '../payment-rail/kept-charge.js'
import type { Transaction, TransactionCode } from '../transaction/transaction.js'

/** One room's addition. */
export interface PaymentPart<Name, Value> {
  readonly name: Name
  /** Its value for each payment that has one. It queries only payments that may have one. */
  readonly of: (payments: readonly Transaction[]) => Promise<ReadonlyMap<TransactionCode, Value>>
}

type AnyPart<Shown> = {
  readonly [Name in keyof Shown]-?: PaymentPart<Name, NonNullable<Shown[Name]>>
}[keyof Shown]

/** The parts of shown payments. */
export interface PaymentParts<Shown> {
  /** The value of a payment without additions. */
  readonly none: Shown
  readonly parts: readonly AnyPart<Shown>[]
}

/** Registers parts. @throws Error if two parts have one name */
export function paymentPartsOf<Shown>(
  none: Shown,
  parts: readonly AnyPart<Shown>[],
): PaymentParts<Shown> {
  const names = new Set(parts.map(({ name }) => name))
  if (names.size < parts.length) throw new Error('two parts of payments have one name')
  return { none, parts }
}

/** The additions of all rooms to these payments, by their codes. */
export async function partsOf<Shown>(
  { none, parts }: PaymentParts<Shown>,
  payments: readonly Transaction[],
): Promise<(payment: Pick<Transaction, 'code'>) => Shown> {
  const found = await Promise.all(
    parts.map(async ({ name, of }) => ({ name, values: await of(payments) })),
  )
  return ({ code }) =>
    found.reduce((shown, { name, values }) => {
      const value = values.get(code)
      return value === undefined ? shown : { ...shown, [name]: value }
    }, none)
}

/** A payment's line in a file of an account's payouts. Amounts are in centavos, with signs. */
export interface PaidOutLine {
  readonly kind: SettlementKind
  /** `different` from what is due; `resolved` once a person has looked at the difference. */
  readonly result: 'matched' | 'different' | 'resolved'
  /** From 1, of a sale in installments. */
  readonly installment: number | undefined
  readonly grossMinor: number
  readonly feeMinor: number
  readonly netMinor: number
  /** Since 1970, in Brasília. */
  readonly day: number
}

/** Additions of rooms to the page of a payment. */
export interface PageParts {
  /** Its charge at the bank of an account, and all that was paid for it. */
  readonly bankCharge?: BankChargeDetails | undefined
  /** The acquirer's own reports on a card's charge, oldest first. */
  readonly cardChanges: readonly AppliedCardChange[]
  /** Its lines in files of payouts, by day. */
  readonly paidOut: readonly PaidOutLine[]
}

/** Additions of rooms to payments in lists. */
export interface ListParts {
  /** True if more than the order was paid, or something else. */
  readonly hasSurplus: boolean
}

export type PagePart = AnyPart<PageParts>
export type ListPart = AnyPart<ListParts>
