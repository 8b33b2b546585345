import type { Connection, Database } from '@cofre/sql'
import { type GatewayTables, type TransactionCode, listEverywhere } from '@cofre/gateway/room'
import { type NamedLine, bareNumber } from '@cofre/provider-kit/bank'
import type { Codes, ReturnFileLines, ReturnLineStore } from '../model/stores.js'
import type { BoletoFileLineRow, RoomTables } from './boleto-file-tables.js'

type Db = Connection<RoomTables>

/** The limit of one statement. */
const AT_ONCE = 500

/** Banks' reports on boletos in return files, each line once. */
export function createSqlReturnLineStore(database: Database<GatewayTables>): ReturnLineStore {
  const { reader }: Database<RoomTables> = database
  return {
    insert: (file) => database.transact((trx) => insertReturnLines(trx, file)),
    of: (code) => linesOf(reader, code),
    ofNames: (accountId, names) => ofNames(reader, accountId, names),
    ofNumbers: (accountId, numbers) => ofNumbers(reader, accountId, numbers),
  }
}

async function insertReturnLines(
  trx: Db,
  { accountId, lines, machineNowMs }: ReturnFileLines,
): Promise<ReadonlySet<string>> {
  const rows = lines.map(({ line, transactionCode }): BoletoFileLineRow => ({
    account_id: accountId,
    id: line.id,
    transaction_code: transactionCode ?? null,
    our_number: bareNumber(line.ourNumber) ?? null,
    said: JSON.stringify(line),
    kept_at: machineNowMs,
  }))
  const news = new Set<string>()
  for (const some of parts(rows)) {
    const kept = await trx
      .insertInto('boleto_file_lines')
      .values(some)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'id'])
          .doUpdateSet((of) => ({ transaction_code: of.ref('excluded.transaction_code') }))
          .where('boleto_file_lines.transaction_code', 'is', null)
          .where('excluded.transaction_code', 'is not', null),
      )
      .returning('id')
      .execute()
    for (const { id } of kept) news.add(id)
  }
  return news
}

/** Sorted everywhere in the same order, so that two processes cannot deadlock. */
function* parts<Item extends { readonly id: string } | string>(
  items: readonly Item[],
): Generator<readonly Item[]> {
  const inOrder = items.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  for (let from = 0; from < inOrder.length; from += AT_ONCE)
    yield inOrder.slice(from, from + AT_ONCE)
}

function nameOf(item: { readonly id: string } | string): string {
  return typeof item === 'string' ? item : item.id
}

async function linesOf(reader: Db, code: TransactionCode): Promise<readonly NamedLine[]> {
  const rows = await reader
    .selectFrom('boleto_file_lines')
    .select('said')
    .where('transaction_code', '=', code)
    .orderBy('kept_at')
    .orderBy('id')
    .execute()
  return rows.map(({ said }) => JSON.parse(said) as NamedLine)
}

async function ofNames(reader: Db, accountId: string, names: readonly string[]): Promise<Codes> {
  const codes = new Map<string, TransactionCode>()
  for (const some of parts([...new Set(names)])) {
    const rows = await reader
      .selectFrom('charge_names')
      .select(['txid', 'transaction_code'])
      .where('txid', 'in', some)
      .where('account_id', '=', accountId)
      .execute()
    for (const { txid, transaction_code: code } of rows) codes.set(txid, code as TransactionCode)
  }
  return codes
}

async function ofNumbers(
  reader: Db,
  accountId: string,
  numbers: readonly string[],
): Promise<Codes> {
  const found = new Map<string, Set<number>>()
  for (const some of parts([...new Set(numbers)])) {
    const called = await reader
      .selectFrom('boleto_file_lines')
      .select(['our_number', 'transaction_code'])
      .distinct()
      .where('account_id', '=', accountId)
      .where('our_number', 'in', some)
      .where('transaction_code', 'is not', null)
      .execute()
    const issued = await listEverywhere(
      reader,
      (db) =>
        db
          .selectFrom('bank_charges')
          .select(['our_number', 'transaction_code'])
          .where('account_id', '=', accountId)
          .where('our_number', 'in', some)
          .execute(),
      (row) => row.transaction_code,
    )
    for (const { our_number: number, transaction_code: code } of [...called, ...issued])
      if (number !== null && code !== null)
        found.set(number, (found.get(number) ?? new Set()).add(code))
  }
  const only = [...found].filter(([, codes]) => codes.size === 1)
  return new Map(only.map(([number, codes]) => [number, [...codes][0] as TransactionCode]))
}
