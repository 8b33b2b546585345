// A title's line, parsed by its layout's fields.
import {
  type FileRecord,
  type NumberStyle,
  dateOf,
  nameOf,
  numberOf,
  possibleDateOf,
  columnText,
} from '../record/record-field.js'
import type { ReturnLine, ReturnLineKind } from '@cofre/provider-kit/bank'
import type { Flags, MoneyFields, Occurrences, ReasonLength, TitleFields } from './return-layout.js'

/** The kind of each code, from a table made for human readers. */
export function kindsByCode(occurrences: Occurrences): ReadonlyMap<string, ReturnLineKind> {
  const kinds = Object.entries(occurrences) as [ReturnLineKind, string][]
  return new Map(kinds.flatMap(([kind, codes]) => codes.split(' ').map((code) => [code, kind])))
}

interface Title {
  readonly titleRecord: FileRecord
  readonly titleFields: TitleFields
  readonly moneyRecord: FileRecord
  readonly moneyFields: MoneyFields
}

export interface TitleRules {
  readonly kinds: ReadonlyMap<string, ReturnLineKind>
  readonly reasonLength: ReasonLength
  readonly numbers: NumberStyle
  readonly isPaidNetOfFee: boolean
  readonly flags?: Flags | undefined
}

/** For these, a field may repeat the order's wrong value. */
const REFUSALS: readonly ReturnLineKind[] = ['rejected', 'order-refused']

export function titleLine(
  { titleRecord, titleFields, moneyRecord, moneyFields }: Title,
  { kinds, reasonLength, numbers, isPaidNetOfFee, flags }: TitleRules,
): ReturnLine {
  const code = columnText(titleRecord, titleFields.code)
  const kind = kinds.get(code) ?? 'other'
  const amount = (field: Parameters<typeof numberOf>[1]) => numberOf(moneyRecord, field, numbers)
  const feeMinor = numberOf(titleRecord, titleFields.fee, numbers)
  const writtenAsPaid = amount(moneyFields.paid)
  const isGross = !isPaidNetOfFee || kind !== 'paid' || writtenAsPaid === 0
  const flagged = flags?.creditedUnder === code ? undefined : flags
  const dueOnOf = REFUSALS.includes(kind) ? possibleDateOf : dateOf
  const names = [titleFields.companyUse, titleFields.document].flatMap(
    (field) => nameOf(titleRecord, field) ?? [],
  )
  return {
    line: titleRecord.line,
    kind,
    code,
    reasons: flagged
      ? columnsOf(titleRecord, flagged)
      : reasonsOf(nameOf(titleRecord, titleFields.reasons), reasonLength),
    // The check digit may be a letter.
    ourNumber: nameOf(titleRecord, titleFields.ourNumber)?.toUpperCase(),
    ourNames: [...new Set(names)],
    titleMinor: numberOf(titleRecord, titleFields.title, numbers),
    paidMinor: isGross ? writtenAsPaid : writtenAsPaid + feeMinor,
    interestMinor: amount(moneyFields.interest),
    discountMinor: amount(moneyFields.discount),
    feeMinor,
    creditMinor: creditOf({ amount, moneyFields, isPaidNetOfFee, writtenAsPaid }),
    occurredOn: dateOf(moneyRecord, moneyFields.occurredOn),
    creditedOn: flagged ? undefined : dateOf(moneyRecord, moneyFields.creditedOn),
    dueOn: dueOnOf(titleRecord, titleFields.dueOn),
    pixTxid: undefined,
  }
}

interface Credit {
  readonly amount: (field: MoneyFields['paid']) => number
  readonly moneyFields: MoneyFields
  readonly isPaidNetOfFee: boolean
  readonly writtenAsPaid: number
}

function creditOf({ amount, moneyFields, isPaidNetOfFee, writtenAsPaid }: Credit) {
  if (isPaidNetOfFee) return writtenAsPaid
  return moneyFields.credit && amount(moneyFields.credit)
}

/** Adjacent codes, without those of zeros. */
function reasonsOf(written: string | undefined, length: ReasonLength): readonly string[] {
  if (written === undefined) return []
  if (length === 'text') return [written]
  const codes: string[] = []
  for (let at = 0; at < written.length; at += length) codes.push(written.slice(at, at + length))
  return codes.filter((code) => !/^[0 ]*$/.test(code))
}

/** The columns, from 1, of the set flags: the bank's manual names their fields. */
function columnsOf({ text }: FileRecord, { field: [, from, to] }: Flags): readonly string[] {
  return Array.from(text.slice(from - 1, to), (flag, at) =>
    flag === '1' ? [String(from + at)] : [],
  ).flat()
}

/** An unparsed line of the file. It is shown, so that nothing is dropped. */
export function unreadLine(line: number, code: string): ReturnLine {
  return {
    line,
    kind: 'other',
    code,
    reasons: [],
    ourNumber: undefined,
    ourNames: [],
    titleMinor: 0,
    paidMinor: 0,
    interestMinor: 0,
    discountMinor: 0,
    feeMinor: 0,
    creditMinor: undefined,
    occurredOn: undefined,
    creditedOn: undefined,
    dueOn: undefined,
    pixTxid: undefined,
  }
}
