import { type MinorUnits, minorUnits } from '@cofre/contracts'
import type { DayTally, StoreFigures } from '../../model/store-figures.js'
import { properName } from '@cofre/pages'
import { type Separator, csvAmount, type AccountNames, type View, dateOf } from '@cofre/panel/page'
import { FIGURES_TEXTS } from './texts.js'

/** A counted item: a line of the file. */
interface Counted {
  readonly subject: string
  readonly day?: number
  /** A method, brand, account or reason; or the kind of returned money. */
  readonly of?: string
  readonly measure?: string
  readonly count: number
  readonly amount?: number
  /** The account's display name. */
  readonly account?: string
}

interface FiguresReader {
  readonly accounts: AccountNames
  readonly separator: Separator
  readonly view: View
}

/** All figures of a period as one table, ready for sums and groups in a spreadsheet. */
export function figuresTable(figures: StoreFigures, { accounts, separator, view }: FiguresReader) {
  const own = FIGURES_TEXTS[view.language].figures
  const heads = [own.subject, own.day, own.of, own.measure, own.count, own.amount, own.accountName]
  const counted = countedIn(figures, view, accounts)
  const rows = counted.map(({ subject, day, of, measure, count, amount, account }) => [
    subject,
    day === undefined ? '' : dateOf(day),
    of ?? '',
    measure ?? '',
    String(count),
    amount === undefined ? '' : csvAmount(wholeUnits(amount), separator),
    account ?? '',
  ])
  return { heads, rows }
}

function countedIn(
  figures: StoreFigures,
  { language, texts: { methods } }: View,
  accounts: AccountNames,
): readonly Counted[] {
  const texts = FIGURES_TEXTS[language].figures
  const names: Readonly<Record<string, string>> = { ...methods, ...texts.returned.kinds }
  const tallied = (subject: string, tallies: readonly DayTally[]): readonly Counted[] =>
    tallies.map((tally) => ({ ...tally, subject, of: names[tally.of] ?? tally.of }))
  const { approval, conversion, declines, health } = texts
  const rates = [
    ...figures.approvalByBrand.map((rate) => ({
      ...rate,
      kind: approval.brand,
      named: {},
      of: rate.of === '' ? '' : properName(rate.of),
    })),
    ...figures.approvalByAccount.map((rate) => ({
      ...rate,
      kind: approval.account,
      named: { account: accounts.of(rate.of) },
    })),
  ].filter(({ of }) => of !== '')
  return [
    ...tallied(texts.volume.title, figures.volume),
    ...tallied(texts.authorized.title, figures.authorized),
    ...rates.flatMap(({ kind, named, of, approved, declined }) => {
      const rate = { subject: approval.title, of: `${kind}: ${of}`, ...named }
      return [
        { ...rate, measure: approval.approved, count: approved },
        { ...rate, measure: approval.declined, count: declined },
      ]
    }),
    ...figures.declines.map(({ reason, count, amount }) => ({
      subject: declines.title,
      of: reason,
      count,
      amount,
    })),
    ...figures.conversions.flatMap(({ method, created, paidWithin }) => {
      const one = { subject: conversion.title, of: names[method] ?? method }
      const paid = Object.entries(paidWithin).map(([span, count]) => ({
        ...one,
        measure: conversion.within[span as keyof typeof paidWithin],
        count,
      }))
      return [{ ...one, measure: conversion.created, count: created }, ...paid]
    }),
    ...tallied(texts.returned.title, figures.returned),
    ...figures.notifications.flatMap(({ day, notified, acknowledged }) => [
      { subject: health.title, day, measure: health.notified, count: notified },
      { subject: health.title, day, measure: health.acknowledged, count: acknowledged },
    ]),
  ]
}

function wholeUnits(amount: number): MinorUnits {
  return minorUnits(Math.round(amount))
}
