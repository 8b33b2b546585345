import type { FigureName, FigurePart, PAID_WITHIN } from './payment-figures.js'

/** Days of Brasília since 1970: the first one, and the one after the last. */
export interface FiguresPeriod {
  readonly fromDay: number
  readonly untilDay: number
}

/** Counted payments of a store. Amounts are in centavos. */
export interface Tally {
  readonly count: number
  readonly amount: number
}

/** The source of a store's figures: one for each day, method, detail and account. */
export interface CountedFigure extends Tally {
  readonly figure: FigureName
  readonly day: number
  readonly method: string
  readonly detail: string
  readonly account: string
}

export interface ApprovalRate {
  /** A brand, or an account's id; empty for neither. */
  readonly of: string
  readonly approved: number
  readonly declined: number
}

/** The orders that were created, and how many of them were paid how soon. */
export interface Conversion {
  readonly method: string
  readonly created: number
  readonly paidWithin: Readonly<Record<(typeof PAID_WITHIN)[number], number>>
}

export interface DayTally extends Tally {
  readonly day: number
  /** The subject of the tally: a method, `refunded` or `charged-back`. */
  readonly of: string
}

/** The figures of a store in a period. */
export interface StoreFigures {
  readonly period: FiguresPeriod
  readonly total: Tally
  /** Paid amounts, by day and method. */
  readonly volume: readonly DayTally[]
  /** Reserved amounts that are neither captured nor released, by day of their authorization. */
  readonly authorized: readonly DayTally[]
  readonly approvalByBrand: readonly ApprovalRate[]
  readonly approvalByAccount: readonly ApprovalRate[]
  /** By reason, most frequent first. */
  readonly declines: readonly (Tally & { readonly reason: string })[]
  readonly conversions: readonly Conversion[]
  /** Returned money, by day. */
  readonly returned: readonly DayTally[]
  /** Notifications, and those that the store acknowledged at once. */
  readonly notifications: readonly {
    readonly day: number
    readonly notified: number
    readonly acknowledged: number
  }[]
}

/** Methods whose orders are paid later. */
const CONVERTED = ['eft', 'postpay']

/** A store's events, counted by day. */
export interface Figures {
  /** The current day in Brasília, since 1970. */
  today(): number
  /** The state of example payments, which figures may leave out; undefined without any. */
  examplesOf(storeId: string): Promise<'making' | 'made' | undefined>
  /** A period, and the equally long one before it. */
  read(storeId: string, period: FiguresPeriod, leftOut?: 'examples'): Promise<ComparedFigures>
}

export interface ComparedFigures {
  readonly now: StoreFigures
  readonly before: StoreFigures
}

/** The counts without the contributions of some payments. */
export function without(
  rows: readonly CountedFigure[],
  parts: readonly FigurePart[],
): readonly CountedFigure[] {
  const byKey = Map.groupBy(parts, partKey)
  return rows.flatMap((row) => {
    const { count, amount } = tallyOf(byKey.get(partKey(row)) ?? [])
    return row.count > count
      ? [{ ...row, count: row.count - count, amount: row.amount - amount }]
      : []
  })
}

function partKey({ figure, day, method, detail, account }: Omit<FigurePart, 'count' | 'amount'>) {
  return JSON.stringify([figure, day, method, detail, account])
}

export function storeFigures(period: FiguresPeriod, rows: readonly CountedFigure[]): StoreFigures {
  const of = (...figures: FigureName[]) => rows.filter(({ figure }) => figures.includes(figure))
  const paid = of('paid')
  const asked = of('approved', 'declined')
  return {
    period,
    total: tallyOf(paid),
    volume: byDay(paid, ({ method }) => method),
    authorized: byDay(of('authorized'), ({ method }) => method),
    approvalByBrand: approvalRates(asked, ({ detail }) => detail),
    approvalByAccount: approvalRates(asked, ({ account }) => account),
    declines: grouped(of('decline'), ({ detail }) => detail)
      .map(([reason, some]) => ({ reason, ...tallyOf(some) }))
      .toSorted((one, other) => other.count - one.count),
    conversions: grouped(of('created', 'paid-within'), ({ method }) => method)
      .filter(([method]) => CONVERTED.includes(method))
      .map(([method, some]) => conversionOf(method, some)),
    returned: byDay(of('refunded', 'charged-back'), ({ figure }) => figure),
    notifications: grouped(of('notified', 'acknowledged'), ({ day }) => day).map(([day, some]) => ({
      day,
      notified: countOf(some, 'notified'),
      acknowledged: countOf(some, 'acknowledged'),
    })),
  }
}

function conversionOf(method: string, rows: readonly CountedFigure[]): Conversion {
  const within = (detail: string) => tallyOf(rows.filter((row) => row.detail === detail)).count
  return {
    method,
    created: countOf(rows, 'created'),
    paidWithin: {
      '5m': within('5m'),
      '1h': within('1h'),
      '1d': within('1d'),
      '3d': within('3d'),
      later: within('later'),
    },
  }
}

function approvalRates(
  rows: readonly CountedFigure[],
  keyOf: (row: CountedFigure) => string,
): readonly ApprovalRate[] {
  return grouped(rows, keyOf)
    .map(([of, some]) => ({
      of,
      approved: countOf(some, 'approved'),
      declined: countOf(some, 'declined'),
    }))
    .toSorted((one, other) => other.approved + other.declined - one.approved - one.declined)
}

function byDay(
  rows: readonly CountedFigure[],
  keyOf: (row: CountedFigure) => string,
): readonly DayTally[] {
  return grouped(rows, ({ day }) => day).flatMap(([day, ofDay]) =>
    grouped(ofDay, keyOf).map(([of, some]) => ({ day, of, ...tallyOf(some) })),
  )
}

/** In the order of the keys. */
function grouped<Key extends string | number>(
  rows: readonly CountedFigure[],
  keyOf: (row: CountedFigure) => Key,
): readonly (readonly [Key, readonly CountedFigure[]])[] {
  return [...Map.groupBy(rows, keyOf)].toSorted(([one], [other]) =>
    one < other ? -1 : one > other ? 1 : 0,
  )
}

function countOf(rows: readonly CountedFigure[], figure: FigureName): number {
  return tallyOf(rows.filter((row) => row.figure === figure)).count
}

export function tallyOf(rows: readonly Tally[]): Tally {
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    amount: rows.reduce((sum, { amount }) => sum + amount, 0),
  }
}
