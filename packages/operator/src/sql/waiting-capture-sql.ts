import { type ListPage, type ListQuery, cursorBy, pageOf } from '@cofre/contracts'
import {
  type GatewayTables,
  type Transaction,
  isAuthorized,
  storedTransaction,
} from '@cofre/gateway/room'
import type { Connection, Database } from '@cofre/sql'
import type { WaitingCapture, WaitingCaptures } from '../model/waiting-captures.js'

type Db = Connection<GatewayTables>

const CURSOR = cursorBy({ dueAtMs: 'bigint', code: 'bigint' })

export function createWaitingCaptures({ reader }: Database<GatewayTables>): WaitingCaptures {
  return {
    list: (storeId, query) => list(reader, storeId, query),

    async orderedOf(code) {
      const row = await reader
        .selectFrom('captures')
        .select('operation')
        .where('transaction_code', '=', code)
        .executeTakeFirst()
      return row?.operation ?? undefined
    },
  }
}

async function list(
  reader: Db,
  storeId: string,
  { after, limit }: ListQuery,
): Promise<ListPage<WaitingCapture>> {
  const place = CURSOR.read(after)
  const rows = await reader
    .selectFrom('captures')
    .select(['transaction_code', 'operation', 'due_at'])
    .where('merchant_id', '=', storeId)
    .$if(place !== undefined, (of) =>
      of.where((when) =>
        when(
          when.refTuple('due_at', 'transaction_code'),
          '>',
          when.tuple(place?.dueAtMs ?? 0, place?.code ?? 0),
        ),
      ),
    )
    .orderBy('due_at')
    .orderBy('transaction_code')
    .limit(limit + 1)
    .execute()
  const page = pageOf(rows, limit, ({ due_at, transaction_code }) =>
    CURSOR.of({ dueAtMs: due_at, code: transaction_code }),
  )
  const byCode = await authorizedOf(
    reader,
    page.items.map((row) => row.transaction_code),
  )
  const items = page.items.flatMap(({ operation, transaction_code }) => {
    const transaction = byCode.get(transaction_code)
    return transaction === undefined ? [] : [{ transaction, ordered: operation ?? undefined }]
  })
  return { ...page, items }
}

/** Without those that were captured or released since their rows were read. */
async function authorizedOf(
  reader: Db,
  codes: readonly number[],
): Promise<ReadonlyMap<number, Transaction>> {
  if (codes.length === 0) return new Map()
  const rows = await reader
    .selectFrom('transactions')
    .select(storedTransaction.columns)
    .where('code', 'in', codes)
    .execute()
  const authorized = rows.map((row) => storedTransaction.read(row)).filter(isAuthorized)
  return new Map(authorized.map((transaction) => [transaction.code, transaction]))
}
