// Finds the payments that the lines of a file name, with their compared facts.
import {
  type Refund,
  type Transaction,
  accountOf,
  cardOf,
  dayNumberInBrasilia,
  listEverywhere,
  storedCardChange,
  storedPayment,
  storedRefund,
  storedTransaction,
} from '@cofre/gateway/room'
import type { Connection } from '@cofre/sql'
import type { PaymentFacts } from '../model/settlement-comparison.js'
import type { RoomTables } from './settlement-tables.js'
import type { SettlementFileRow, SettlementLineRow } from './settlement-tables.js'

type Db = Connection<RoomTables>

type KnownFacts = Omit<PaymentFacts, 'before'>

export interface NamedPayments {
  readonly codes: readonly number[]
  /** Undefined if a line names no payment of the store, or more than one. */
  of(line: SettlementLineRow): KnownFacts | undefined
}

/** The store and account of a file, and its way of naming payments. */
export interface NamingFile extends Pick<SettlementFileRow, 'merchant_id' | 'account_id'> {
  readonly namesCharges: boolean
}

/** Takes two rounds of queries. */
export async function findNamedPayments(
  reader: Db,
  file: NamingFile,
  lines: readonly SettlementLineRow[],
): Promise<NamedPayments> {
  const [keys, ids, nsus, pix, charges] = await Promise.all([
    byReferences(reader, file.merchant_id, lines),
    byTerms(reader, file.merchant_id, acquirerIdsOf(lines)),
    byTerms(reader, file.merchant_id, nsusOf(lines)),
    byEndToEndIds(reader, lines),
    byChargeNames(reader, file, lines),
  ])
  const named = lines.flatMap(({ named_code }) => named_code ?? [])
  const codes = [
    ...new Set([...named, ...keys.values(), ...ids, ...nsus, ...pix.values(), ...charges.values()]),
  ]
  const facts = await readFacts(reader, file.merchant_id, codes)
  const candidates = [...facts.values()]
  const byPaymentId = Map.groupBy(candidates, (of) => chargeOf(of)?.paymentId?.toLowerCase())
  const byNsu = Map.groupBy(candidates, (of) => withoutZeros(chargeOf(of)?.nsu))
  return {
    codes: [...facts.keys()],
    of(line) {
      const byCode = facts.get(line.named_code ?? 0)
      if (byCode !== undefined && isOfAcquirerId(byCode, line)) return byCode
      const byReference = facts.get(keys.get(line.reference ?? '') ?? 0)
      if (byReference !== undefined) return byReference
      const byCharge = facts.get(charges.get(line.reference ?? '') ?? 0)
      if (byCharge !== undefined) return byCharge
      const byPix = facts.get(pix.get(line.end_to_end_id ?? '') ?? 0)
      if (byPix !== undefined) return byPix
      const id = line.acquirer_id?.toLowerCase()
      const byId = id === undefined ? [] : (byPaymentId.get(id) ?? [])
      const [only, ...others] =
        byId.length > 0 ? byId : namedByNsu(byNsu.get(withoutZeros(line.nsu)) ?? [], line, file)
      return others.length === 0 ? only : undefined
    },
  }
}

function chargeOf({ transaction }: KnownFacts) {
  return cardOf(transaction)?.charge
}

/** True unless the acquirer's own id identifies another payment than the code. */
function isOfAcquirerId(facts: KnownFacts, { acquirer_id }: SettlementLineRow): boolean {
  const { paymentId } = chargeOf(facts) ?? {}
  if (acquirer_id === null || paymentId === undefined) return true
  return paymentId.toLowerCase() === acquirer_id.toLowerCase()
}

/** A sale in twelve parts is paid out for a year, and charged back or refunded later. */
const NAMED_FOR_DAYS = 720

/** An NSU repeats, so all other known values and the days must match. */
function namedByNsu(
  candidates: readonly KnownFacts[],
  line: SettlementLineRow,
  { account_id }: NamingFile,
): readonly KnownFacts[] {
  if (line.nsu === null) return []
  return candidates.filter((facts) => {
    const { transaction } = facts
    const { authorizationCode } = chargeOf(facts) ?? {}
    const isAuthorized =
      line.authorization_code === null ||
      authorizationCode === undefined ||
      authorizationCode.toLowerCase() === line.authorization_code.toLowerCase()
    const account = accountOf(transaction)
    const ageDays = line.day - dayNumberInBrasilia(transaction.paidAtMs ?? transaction.createdAtMs)
    const isInTime = ageDays >= 0 && ageDays <= NAMED_FOR_DAYS
    return isAuthorized && isInTime && (account_id === null || account === account_id)
  })
}

function withoutZeros(nsu: string | null | undefined): string | undefined {
  return nsu?.replace(/^0+/, '')
}

async function byReferences(
  reader: Db,
  merchantId: string,
  lines: readonly SettlementLineRow[],
): Promise<ReadonlyMap<string, number>> {
  const references = [...new Set(lines.flatMap(({ reference }) => reference ?? []))]
  if (references.length === 0) return new Map()
  const rows = await reader
    .selectFrom('transaction_keys')
    .select(['reference', 'transaction_code'])
    .where('merchant_id', '=', merchantId)
    .where('reference', 'in', references)
    .execute()
  return new Map(rows.map((row) => [row.reference, row.transaction_code]))
}

function acquirerIdsOf(lines: readonly SettlementLineRow[]): readonly string[] {
  return lines.flatMap(({ acquirer_id }) => acquirer_id ?? [])
}

/** The padding of acquirers. */
const NSU_DIGITS = 6

function nsusOf(lines: readonly SettlementLineRow[]): readonly string[] {
  return lines.flatMap(({ nsu }) => {
    const bare = withoutZeros(nsu) ?? ''
    return nsu === null || bare === '' ? [] : [nsu, bare, bare.padStart(NSU_DIGITS, '0')]
  })
}

/** Above this number the omitted ones are unknown, so none is used. */
const CANDIDATES_MAX = 10_000

async function byTerms(
  reader: Db,
  merchantId: string,
  ids: readonly string[],
): Promise<readonly number[]> {
  const terms = [...new Set(ids.map((id) => id.toLowerCase()))]
  if (terms.length === 0) return []
  const rows = await listEverywhere(
    reader,
    (db) =>
      db
        .selectFrom('payment_terms')
        .select('code')
        .where('merchant_id', '=', merchantId)
        .where('kind', '=', 'provider')
        .where('term', 'in', terms)
        .limit(CANDIDATES_MAX + 1)
        .execute(),
    ({ code }) => code,
  )
  return rows.length > CANDIDATES_MAX ? [] : rows.map(({ code }) => code)
}

async function byEndToEndIds(
  reader: Db,
  lines: readonly SettlementLineRow[],
): Promise<ReadonlyMap<string, number>> {
  const ids = lines.flatMap(({ end_to_end_id }) => end_to_end_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await listEverywhere(
    reader,
    (db) =>
      db
        .selectFrom('bank_payments')
        .select(['end_to_end_id', 'transaction_code'])
        .where('end_to_end_id', 'in', ids)
        .execute(),
    (row) => row.end_to_end_id,
  )
  return new Map(rows.map((row) => [row.end_to_end_id, row.transaction_code]))
}

/** Lines that name a boleto by Cofre's name for it at its bank. */
async function byChargeNames(
  reader: Db,
  { namesCharges }: NamingFile,
  lines: readonly SettlementLineRow[],
): Promise<ReadonlyMap<string, number>> {
  const names = namesCharges ? lines.flatMap(({ reference }) => reference ?? []) : []
  if (names.length === 0) return new Map()
  const rows = await reader
    .selectFrom('charge_names')
    .select(['txid', 'transaction_code'])
    .where('txid', 'in', [...new Set(names)])
    .execute()
  return new Map(rows.map((row) => [row.txid, row.transaction_code]))
}

async function readFacts(
  reader: Db,
  merchantId: string,
  codes: readonly number[],
): Promise<ReadonlyMap<number, KnownFacts>> {
  if (codes.length === 0) return new Map()
  const facts = await listEverywhere(
    reader,
    (db) => factsIn(db, merchantId, codes),
    ({ transaction }) => transaction.code,
  )
  return new Map(facts.map((of) => [of.transaction.code, of]))
}

async function factsIn(
  db: Db,
  merchantId: string,
  codes: readonly number[],
): Promise<readonly KnownFacts[]> {
  const [transactions, refunds, changes, pix] = await Promise.all([
    readTransactions(db, codes),
    readRefunds(db, codes),
    db
      .selectFrom('card_changes')
      .select(storedCardChange.columns)
      .where('transaction_code', 'in', codes)
      .execute(),
    db
      .selectFrom('bank_payments')
      .select([...storedPayment.columns, 'transaction_code'])
      .where('transaction_code', 'in', codes)
      .execute(),
  ])
  // Not a condition, because SQLite would read all of the store's transactions.
  const own = transactions.filter((transaction) => transaction.merchantId === merchantId)
  const refundsOf = Map.groupBy(refunds, (refund) => refund.transactionCode)
  const changesOf = Map.groupBy(changes, (row) => row.transaction_code)
  const pixOf = Map.groupBy(pix, (row) => row.transaction_code)
  return own.map((transaction) => {
    const { code } = transaction
    return {
      transaction,
      refunds: refundsOf.get(code) ?? [],
      changes: (changesOf.get(code) ?? []).map((row) => storedCardChange.read(row)),
      pix: (pixOf.get(code) ?? []).map((row) => storedPayment.read(row)),
    }
  })
}

async function readTransactions(
  reader: Db,
  codes: readonly number[],
): Promise<readonly Transaction[]> {
  const rows = await reader
    .selectFrom('transactions')
    .select(storedTransaction.columns)
    .where('code', 'in', codes)
    .execute()
  return rows.map((row) => storedTransaction.read(row))
}

async function readRefunds(reader: Db, codes: readonly number[]): Promise<readonly Refund[]> {
  const rows = await reader
    .selectFrom('refunds')
    .select(storedRefund.columns)
    .where('transaction_code', 'in', codes)
    .execute()
  return rows.map((row) => storedRefund.read(row))
}
