// Our own table, for acquirers without a reader for their files: docs/settlements.md describes it.
import {
  SettlementFileError,
  type SettlementKind,
  type SettlementLine,
  type SettlementPlace,
} from '@cofre/contracts'
import {
  type CsvRecord,
  type CsvTable,
  amountOf,
  csvRecords,
  readDay,
  nameOf,
  partOf,
  decodeText,
} from '@cofre/provider-kit/report'

const REQUIRED = ['date', 'kind', 'gross']

const OPTIONAL = [
  'transaction_code',
  'reference',
  'acquirer_id',
  'nsu',
  'authorization_code',
  'brand',
  'installment',
  'installments',
]

const KINDS: Readonly<Record<string, SettlementKind>> = {
  sale: 'sale',
  venda: 'sale',
  refund: 'refund',
  reembolso: 'refund',
  estorno: 'refund',
  chargeback: 'chargeback',
  'chargeback-reversed': 'chargeback-reversed',
  'chargeback-revertido': 'chargeback-reversed',
  fee: 'fee',
  tarifa: 'fee',
  other: 'other',
  outro: 'other',
}

const KIND_NAMES = Object.keys(KINDS).join(', ')

const TABLE: CsvTable = {
  delimiters: [';', '\t', ','],
  required: REQUIRED,
  oneOf: ['fee', 'net'],
  optional: OPTIONAL,
}

export async function* readOwnCsv(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<SettlementLine, void> {
  for await (const record of csvRecords(decodeText(content), TABLE)) yield lineOf(record)
}

function lineOf({ line, cell: rawCell }: CsvRecord): SettlementLine {
  const at = (field: string) => ({ line, field })
  // A spreadsheet's protection of texts: an apostrophe against formulas, or `="001"`.
  const cell = (field: string): string => rawCell(field).replace(/^'|^="([^"]*)"$/, '$1')
  const name = (field: string) => nameOf(cell(field), at(field))
  const kind = KINDS[cell('kind').toLowerCase()]
  if (kind === undefined)
    throw new SettlementFileError('bad-value', { ...at('kind'), expected: KIND_NAMES })
  const { grossMinor, feeMinor, netMinor } = moneyOf(kind, cell, at)
  const transactionCode = name('transaction_code')
  if (transactionCode !== undefined && !/^\d{1,15}$/.test(transactionCode))
    throw new SettlementFileError('bad-value', at('transaction_code'))
  return {
    line,
    kind,
    transactionCode,
    reference: name('reference'),
    acquirerId: name('acquirer_id'),
    nsu: name('nsu'),
    authorizationCode: name('authorization_code'),
    brand: name('brand')?.toLowerCase(),
    installment: partOf(cell('installment'), at('installment')),
    installments: partOf(cell('installments'), at('installments')),
    grossMinor,
    feeMinor,
    netMinor,
    paidOn: readDay(cell('date'), at('date')),
  }
}

function moneyOf(
  kind: SettlementKind,
  cell: (field: string) => string,
  at: (field: string) => SettlementPlace,
): Pick<SettlementLine, 'grossMinor' | 'feeMinor' | 'netMinor'> {
  const amount = (field: string) =>
    cell(field) === '' ? undefined : amountOf(cell(field), at(field))
  const grossMinor = amountOf(cell('gross'), at('gross'))
  // A lost minus would reverse the direction of money.
  const isWrongWay = kind === 'sale' ? grossMinor < 0 : isReturned(kind) && grossMinor > 0
  if (isWrongWay)
    throw new SettlementFileError('bad-value', {
      ...at('gross'),
      expected: kind === 'sale' ? '≥ 0' : '≤ 0',
    })
  const [feeMinor, netMinor] = [amount('fee'), amount('net')]
  if (feeMinor === undefined && netMinor === undefined)
    throw new SettlementFileError('bad-value', at('net'))
  const net = netMinor ?? grossMinor - (feeMinor ?? 0)
  if (feeMinor !== undefined && grossMinor - feeMinor !== net)
    throw new SettlementFileError('bad-value', { ...at('net'), expected: 'gross - fee' })
  return { grossMinor, feeMinor: grossMinor - net, netMinor: net }
}

function isReturned(kind: SettlementKind): boolean {
  return kind === 'refund' || kind === 'chargeback'
}
