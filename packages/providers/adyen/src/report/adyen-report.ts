// Adyen's settlement details report (docs.adyen.com, reporting, settlement details). Columns are
// found by name, in any order, beside others.
import {
  type Environment,
  SettlementFileError,
  type SettlementKind,
  type SettlementLine,
  readReference,
} from '@cofre/contracts'
import {
  type CsvRecord,
  type CsvTable,
  csvRecords,
  decodeText,
  decimalOf,
  machineDayOf,
  nameOf,
} from '@cofre/provider-kit/report'

const CREATED = 'Creation Date'
const BOOKED = 'Booking Date'
const GROSS = { currency: 'Gross Currency', debit: 'Gross Debit (GC)', credit: 'Gross Credit (GC)' }
const NET = { currency: 'Net Currency', debit: 'Net Debit (NC)', credit: 'Net Credit (NC)' }

const REQUIRED = [
  'Psp Reference',
  'Merchant Reference',
  'Type',
  CREATED,
  ...Object.values(GROSS),
  ...Object.values(NET),
]

const OPTIONAL = [BOOKED, 'Payment Method', 'Modification Reference', 'Batch Number']

const TABLE: CsvTable = { delimiters: [','], required: REQUIRED, optional: OPTIONAL }

const KINDS: Readonly<Record<string, SettlementKind>> = {
  Settled: 'sale',
  Refunded: 'refund',
  Chargeback: 'chargeback',
  SecondChargeback: 'chargeback',
  ChargebackReversed: 'chargeback-reversed',
  Fee: 'fee',
  MiscCosts: 'fee',
  InvoiceDeduction: 'fee',
}

/** Sums of the other lines, paid to the bank or moved to the next batch. */
const SUMS: readonly string[] = ['MerchantPayout', 'Balancetransfer']

export async function* readAdyenReport(
  content: AsyncIterable<Uint8Array>,
  environment: Environment,
): AsyncGenerator<SettlementLine, void> {
  for await (const record of csvRecords(decodeText(content), TABLE))
    if (!SUMS.includes(record.cell('Type'))) yield lineOf(record, environment)
}

function lineOf(record: CsvRecord, environment: Environment): SettlementLine {
  const { line, cell } = record
  const grossMinor = moneyOf(record, GROSS)
  const netMinor = moneyOf(record, NET)
  const reference = readReference(cell('Merchant Reference'))
  const isOurs = reference?.of === 'payment' && reference.environment === environment
  const name = (field: string) => nameOf(cell(field), { line, field })
  const paidField = cell(BOOKED) === '' ? CREATED : BOOKED
  return {
    line,
    kind: KINDS[cell('Type')] ?? 'other',
    transactionCode: isOurs ? reference.code : undefined,
    acquirerId: name('Psp Reference'),
    brand: nameOf(cell('Payment Method').toLowerCase(), { line, field: 'Payment Method' }),
    grossMinor,
    feeMinor: grossMinor - netMinor,
    netMinor,
    paidOn: machineDayOf(cell(paidField), { line, field: paidField }),
    entryId: `${name('Modification Reference') ?? ''} ${cell('Batch Number')}`,
  }
}

/** Credit goes to the store; a fee has no gross. */
function moneyOf(
  { line, cell }: CsvRecord,
  { currency, debit, credit }: Readonly<Record<'currency' | 'debit' | 'credit', string>>,
): number {
  const amount = (field: string): number =>
    cell(field) === '' ? 0 : decimalOf(cell(field), { line, field })
  const minor = amount(credit) - amount(debit)
  if (minor !== 0 && cell(currency) !== 'BRL')
    throw new SettlementFileError('wrong-currency', { line, field: currency })
  return minor
}
