// The settlement details report: the whole books as one paid batch.
import type { Book, Payment } from './book.js'

const HEADS = [
  'Company Account',
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Payment Method',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Exchange Rate',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Markup (NC)',
  'Scheme Fees (NC)',
  'Interchange (NC)',
  'Payment Method Variant',
  'Modification Merchant Reference',
  'Batch Number',
]

/** The fee's share of a sale. */
const FEE_SHARE = 0.025
const COMPANY = 'Simulated'
const BATCH = '1'

interface Entry {
  readonly payment?: Payment
  readonly type: string
  readonly timeMs: number
  readonly grossMinor: number
  readonly feeMinor?: number
  /** The pspReference of the capture, refund or chargeback. */
  readonly pspReference?: string
  readonly reference?: string | undefined
}

export function settlementReport({ clock, payments }: Book): string {
  const entries = [...payments.values()].flatMap(entriesOf)
  const paidMinor = entries.reduce((sum, of) => sum + of.grossMinor - (of.feeMinor ?? 0), 0)
  const payout = { type: 'MerchantPayout', timeMs: clock.now(), grossMinor: 0, feeMinor: paidMinor }
  return [HEADS, ...[...entries, payout].map(cellsOf)]
    .map((cells) => `${cells.map(quoted).join(',')}\n`)
    .join('')
}

function entriesOf(payment: Payment): readonly Entry[] {
  const { chargebacks, createdMs: timeMs, modifications } = payment
  const captures = modifications.filter(({ kind, state }) => kind === 'capture' && state === 'done')
  if (captures.length === 0) return []
  return [
    ...captures.map(({ amountMinor, requestedMs, pspReference, reference }): Entry => {
      const of = { payment, type: 'Settled', timeMs: requestedMs, pspReference, reference }
      return { ...of, grossMinor: amountMinor, feeMinor: Math.round(amountMinor * FEE_SHARE) }
    }),
    ...modifications
      .filter(({ kind, state }) => kind === 'refund' && state === 'done')
      .map(({ amountMinor, requestedMs, ...refund }): Entry => {
        const of = { payment, type: 'Refunded', timeMs: requestedMs }
        return { ...of, grossMinor: 0 - amountMinor, ...refund }
      }),
    ...chargebacks.flatMap(({ amountMinor, pspReference: id, state }): readonly Entry[] => {
      const of = { payment, timeMs, pspReference: id }
      return [
        { ...of, type: 'Chargeback', grossMinor: 0 - amountMinor },
        ...(state === 'reversed'
          ? [{ ...of, type: 'ChargebackReversed', grossMinor: amountMinor }]
          : []),
      ]
    }),
  ]
}

function cellsOf(entry: Entry): readonly string[] {
  const { payment, type, timeMs, grossMinor, feeMinor = 0, pspReference, reference } = entry
  return [
    COMPANY,
    payment?.merchantAccount ?? '',
    payment?.pspReference ?? '',
    payment?.reference ?? '',
    payment?.card.brand ?? '',
    timeOf(timeMs),
    'BRT',
    type,
    pspReference ?? '',
    'BRL',
    ...debitAndCredit(grossMinor),
    '1',
    'BRL',
    ...debitAndCredit(grossMinor - feeMinor),
    '',
    payment === undefined || feeMinor === 0 ? '' : amountOf(feeMinor),
    '',
    '',
    payment?.card.brand ?? '',
    reference ?? '',
    BATCH,
  ]
}

function debitAndCredit(minor: number): readonly [debit: string, credit: string] {
  if (minor === 0) return ['', '']
  return minor < 0 ? [amountOf(-minor), ''] : ['', amountOf(minor)]
}

function amountOf(minor: number): string {
  return (minor / 100).toFixed(2)
}

const TIME = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'America/Sao_Paulo',
})

function timeOf(timeMs: number): string {
  return TIME.format(timeMs)
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
