// Cielo's electronic statement, layout 15, its file of payments (CIELO04): fixed width. The manual
// (15.x; developercielo.github.io, tutorial edi-extrato-eletronico) counts positions from 1, as
// here. Three independent parsers in public repositories agree.
import {
  type Environment,
  SettlementFileError,
  type SettlementKind,
  type SettlementLine,
  holdsCardNumber,
  isCalendarDate,
  readReference,
} from '@cofre/contracts'
import { isEmptyLine, linesOf, decodeText, boundedAmount, partOf } from '@cofre/provider-kit/report'

type Field = readonly [name: string, from: number, to: number]

const HEADER = {
  acquirer: ['Empresa adquirente', 43, 47],
  file: ['Opção de extrato', 48, 49],
  version: ['Versão do layout', 71, 73],
} as const satisfies Readonly<Record<string, Field>>

/** D: the payment of a receivable unit. */
const UNIT = {
  kind: ['Tipo de lançamento', 150, 151],
  key: ['Chave da UR', 152, 251],
  paidOn: ['Data de pagamento', 268, 275],
} as const satisfies Readonly<Record<string, Field>>

/** E: a sale of a unit, or a change of one. Its TID is not the id of our charges. */
const DETAIL = {
  brand: ['Bandeira', 12, 14],
  installment: ['Número da parcela', 18, 19],
  installments: ['Número total de parcelas', 20, 21],
  authorizationCode: ['Código de autorização', 22, 27],
  kind: ['Tipo de lançamento', 28, 29],
  key: ['Chave da UR', 30, 129],
  code: ['Código da transação recebida', 130, 151],
  nsu: ['NSU', 176, 181],
  tid: ['TID', 192, 211],
  order: ['Código do pedido', 212, 231],
  gross: ['Valor bruto', 261, 274],
  net: ['Valor líquido', 275, 288],
} as const satisfies Readonly<Record<string, Field>>

const TRAILER = { records: ['Total de registros', 2, 12] } as const

/** Positions whose adjacent digits do not form one number. */
const AMOUNTS_FROM = 232
const AMOUNTS_TO = 470
/** The length of the longest card number. */
const CARD_DIGITS_MAX = 19

/** Table II of the manual. Other codes are adjustments, neither sales nor payments. */
const KINDS: Readonly<Record<string, SettlementKind>> = {
  '01': 'sale',
  '02': 'sale',
  '03': 'sale',
  '42': 'sale',
  '06': 'refund',
  '08': 'chargeback',
  '09': 'chargeback-reversed',
  '10': 'fee',
}

/** Table III. */
const BRANDS: Readonly<Record<string, string>> = {
  '001': 'visa',
  '002': 'mastercard',
  '003': 'amex',
  '007': 'elo',
  '009': 'diners',
  '040': 'hipercard',
  '060': 'jcb',
}

/** The date of a unit that is not paid out. */
const NO_DAY = /^(?:0*|01011001)$/

/** A file has a few units for each brand and day. */
const UNITS_MAX = 100_000

export async function* readCieloStatement(
  content: AsyncIterable<Uint8Array>,
  environment: Environment,
): AsyncGenerator<SettlementLine, void> {
  const paidOn = new Map<string, string | undefined>()
  let line = 0
  let isBegun = false
  let records = 0
  let lines = 0
  let isEnded = false
  // Its few texts have Latin letters, in whatever encoding a portal delivers.
  for await (const text of linesOf(decodeText(content))) {
    line += 1
    if (isEmptyLine(text)) continue
    if (isEnded) throw new SettlementFileError('incomplete', { line })
    if (!isBegun) {
      checkHeader(text, line)
      isBegun = true
      continue
    }
    if (text.startsWith('9')) {
      if (Number(fieldOf(text, TRAILER.records)) !== records)
        throw new SettlementFileError('incomplete', { line, field: TRAILER.records[0] })
      isEnded = true
      continue
    }
    records += 1
    refuseCardNumbers(text, line)
    if (text.startsWith('D')) addUnit(paidOn, text, line)
    if (!text.startsWith('E')) continue
    const detail = detailOf(text, line, { environment, paidOn })
    if (detail === undefined) continue
    lines += 1
    yield detail
  }
  if (!isEnded) throw new SettlementFileError('incomplete', { line: line + 1 })
  if (lines === 0) throw new SettlementFileError('no-lines')
}

function fieldOf(text: string, [, from, to]: Field): string {
  return text.slice(from - 1, to).trim()
}

function checkHeader(text: string, line: number): void {
  const isStatement = text.startsWith('0') && fieldOf(text, HEADER.acquirer) === 'CIELO'
  if (!isStatement) throw new SettlementFileError('wrong-report', { line })
  for (const [field, expected] of [
    [HEADER.file, '04'],
    [HEADER.version, '015'],
  ] as const)
    if (fieldOf(text, field) !== expected)
      throw new SettlementFileError('wrong-report', { line, field: field[0] })
}

/**
 * Refuses whole card numbers. A detail has the first six and last four digits, adjacent, which are
 * too few for one.
 */
function refuseCardNumbers(text: string, line: number): void {
  const isDetail = text.startsWith('E')
  const texts = isDetail
    ? [
        ...[DETAIL.tid, DETAIL.order].map((field) => fieldOf(text, field)),
        ...text.slice(0, AMOUNTS_FROM - 1).split(/\s+/),
        ...text.slice(AMOUNTS_TO).split(/\s+/),
      ]
    : text.split(/\s+/)
  for (const part of texts)
    if (isLikeCard(part)) throw new SettlementFileError('card-number', { line })
}

/**
 * True only for an unbroken part of a card's length: longer rows of fixed-width digits contain such
 * numbers by chance.
 */
function isLikeCard(part: string): boolean {
  return part.length <= CARD_DIGITS_MAX && holdsCardNumber(part)
}

function addUnit(paidOn: Map<string, string | undefined>, text: string, line: number): void {
  if (paidOn.size >= UNITS_MAX) throw new SettlementFileError('too-large', { line })
  paidOn.set(unitOf(text, UNIT), dateOf(fieldOf(text, UNIT.paidOn), line))
}

function unitOf(text: string, { kind, key }: Pick<typeof UNIT | typeof DETAIL, 'kind' | 'key'>) {
  return `${fieldOf(text, kind)} ${fieldOf(text, key)}`
}

/** A day from `DDMMYYYY`. */
function dateOf(digits: string, line: number): string | undefined {
  if (NO_DAY.test(digits)) return undefined
  const day = `${digits.slice(4)}-${digits.slice(2, 4)}-${digits.slice(0, 2)}`
  if (!isCalendarDate(day))
    throw new SettlementFileError('bad-value', { line, field: UNIT.paidOn[0] })
  return day
}

interface Statement {
  readonly environment: Environment
  /** The payment day of each unit so far; undefined for a unit that is not paid out. */
  readonly paidOn: ReadonlyMap<string, string | undefined>
}

/** Undefined for a detail of a unit that is not paid out. */
function detailOf(
  text: string,
  line: number,
  { environment, paidOn }: Statement,
): SettlementLine | undefined {
  const unit = unitOf(text, DETAIL)
  if (!paidOn.has(unit)) throw new SettlementFileError('incomplete', { line, field: DETAIL.key[0] })
  const paid = paidOn.get(unit)
  if (paid === undefined) return undefined
  const kind = KINDS[fieldOf(text, DETAIL.kind)] ?? 'other'
  const grossMinor = kind === 'fee' ? 0 : signedOf(text, DETAIL.gross, line)
  const netMinor = signedOf(text, DETAIL.net, line)
  const reference = readReference(fieldOf(text, DETAIL.order))
  const isOurs = reference?.of === 'payment' && reference.environment === environment
  const part = (field: Field) => partOf(fieldOf(text, field), { line, field: field[0] })
  return {
    line,
    kind,
    transactionCode: isOurs ? reference.code : undefined,
    nsu: knownOf(fieldOf(text, DETAIL.nsu)),
    authorizationCode: knownOf(fieldOf(text, DETAIL.authorizationCode)),
    brand: BRANDS[fieldOf(text, DETAIL.brand)],
    installment: part(DETAIL.installment),
    installments: part(DETAIL.installments),
    grossMinor,
    feeMinor: grossMinor - netMinor,
    netMinor,
    paidOn: paid,
    entryId: `${unit} ${fieldOf(text, DETAIL.code)}`,
  }
}

/** Zeros mean that there is no value. */
function knownOf(text: string): string | undefined {
  return /^0*$/.test(text) ? undefined : text
}

/** A sign before thirteen digits of centavos. */
function signedOf(text: string, field: Field, line: number): number {
  const [, sign, digits = ''] = /^([+-])(\d{13})$/.exec(fieldOf(text, field)) ?? []
  if (sign === undefined) throw new SettlementFileError('bad-value', { line, field: field[0] })
  const minor = Number(digits)
  return boundedAmount(sign === '+' || minor === 0 ? minor : -minor, { line, field: field[0] })
}
