import { CARD_TYPE } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import { claim, forget, isElsewhere } from '@cofre/work'
import {
  type Transaction,
  listEverywhere,
  storedTransaction,
  type InLane,
  chargeAccountOf,
} from '@cofre/gateway/room'
import type { LinkTryStore, NewTry, OpenedTry, TryAddresses, TryClaim } from '../model/stores.js'
import { type RoomTables, storedTry } from './link-tables.js'
import { hasCapacity } from './card-pause-store-sql.js'
import { lockTry, tryPart } from './link-intent-sql.js'
import { findLink, isTransaction } from './payment-link-store-sql.js'
import type { CardCapacity } from '../model/card-pause.js'
import {
  CARD_TRIES_MAX,
  CARD_TRIES_MS,
  type FoundTry,
  LINK_POLL_PAUSE_MS,
  type LinkTry,
  OPEN_CHARGES_MAX,
} from '../model/link-try.js'
import type { PaymentLink } from '../model/payment-link.js'

type Db = Connection<RoomTables>

export function createSqlLinkTryStore(database: Database<RoomTables>): LinkTryStore {
  const { reader } = database
  return {
    open: (order, places) => database.transact((trx) => open(trx, order, places)),
    intentPart: (id) => tryPart(reader, id),
    find: (linkId, id) => findTry(reader, { link_id: linkId, id }),
    findByForm: (linkId, formId) => findTry(reader, { link_id: linkId, form_id: formId }),
    findHolding: (linkId) => findTry(reader, { held_link: linkId }),
    async ofLink(linkId, limit) {
      const rows = await reader
        .selectFrom('payment_link_tries')
        .selectAll()
        .where('link_id', '=', linkId)
        .orderBy('number', 'desc')
        .limit(limit)
        .execute()
      return await withTransactions(reader, rows.map(storedTry.read))
    },
    close: (id) => database.transact((trx) => close(trx, id)),
    claim: (wanted) => claimTries(database, wanted),
  }
}

export function createSqlTryAddresses(database: Database<RoomTables>): TryAddresses {
  return { forget: (nowMs) => forgetAddresses(database, nowMs) }
}

async function open(trx: Db, order: NewTry, places: readonly CardCapacity[]): Promise<OpenedTry> {
  const { linkId, formId, createdAtMs: nowMs } = order
  await trx.selectFrom('payment_links').select('id').where('id', '=', linkId).forUpdate().execute()
  // Read before the link's state, so that a try cannot be paid and end unseen between the two.
  const by = await findTry(trx, { held_link: linkId })
  const found = await findLink(trx, { id: linkId }, nowMs)
  if (found === undefined) return { kind: 'not-found' }
  const same = await findTry(trx, { link_id: linkId, form_id: formId })
  if (same !== undefined) return { kind: 'same-form', tryId: same.linkTry.id }
  const { link, state } = found
  if (state !== 'payable') return { kind: 'not-payable', state }
  const reached = await reachedLimit(trx, order, places)
  if (reached !== undefined) return { kind: reached }
  if (by !== undefined) return { kind: 'held', by }
  const named = await nextName(trx, link)
  const { address, ...rest } = order
  const linkTry = { ...rest, ...named, transactionCode: undefined, open: true }
  await trx
    .insertInto('payment_link_tries')
    .values({
      ...storedTry.rowOf(linkTry),
      address,
      held_link: link.usage === 'once' ? linkId : null,
    })
    .execute()
  return { kind: 'opened', linkTry }
}

/**
 * The number after the last, and its reference, skipping references that the store itself has used.
 */
async function nextName(
  trx: Db,
  { id, storeId, reference: ofLink }: PaymentLink,
): Promise<Pick<LinkTry, 'number' | 'reference'>> {
  // A store that counts may have used thousands in a row.
  for (let number = (await lastNumber(trx, id)) + 1; ; number *= 2) {
    const reference = `${ofLink}-${number}`
    if (!(await isTransaction(trx, { storeId, reference }))) return { number, reference }
  }
}

async function lastNumber(trx: Db, linkId: string): Promise<number> {
  const last = await trx
    .selectFrom('payment_link_tries')
    .select('number')
    .where('link_id', '=', linkId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.number ?? 0
}

async function reachedLimit(
  trx: Db,
  { linkId, address, method, createdAtMs }: NewTry,
  places: readonly CardCapacity[],
): Promise<'too-many-tries' | 'too-many-open' | 'too-many-cards' | undefined> {
  const own = trx
    .selectFrom('payment_link_tries')
    .select((of) => of.fn.countAll<number>().as('tries'))
    .where('link_id', '=', linkId)
    .where('address', '=', address)
  if (method === CARD_TYPE) {
    const { tries } = await own
      .where('method', '=', CARD_TYPE)
      .where('created_at', '>', createdAtMs - CARD_TRIES_MS)
      .executeTakeFirstOrThrow()
    if (tries >= CARD_TRIES_MAX) return 'too-many-tries'
    for (const ofSubject of places)
      if (!(await hasCapacity(trx, ofSubject))) return 'too-many-cards'
    return undefined
  }
  const { tries } = await own
    .where('method', '<>', CARD_TYPE)
    .where('open', '=', 1)
    .where((of) =>
      of.or([
        of('transaction_code', 'is', null),
        of.exists(
          of
            .selectFrom('transactions')
            .select('code')
            .whereRef('code', '=', 'transaction_code')
            .where('status', '=', 'PENDING'),
        ),
      ]),
    )
    .executeTakeFirstOrThrow()
  return tries >= OPEN_CHARGES_MAX ? 'too-many-open' : undefined
}

async function findTry(
  db: Db,
  key: Readonly<Partial<Record<'id' | 'link_id' | 'form_id' | 'held_link', string>>>,
): Promise<FoundTry | undefined> {
  const row = await db
    .selectFrom('payment_link_tries')
    .selectAll()
    .where((of) => of.and(key))
    .executeTakeFirst()
  return row && (await withTransactions(db, [storedTry.read(row)]))[0]
}

async function withTransactions(db: Db, tries: readonly LinkTry[]): Promise<readonly FoundTry[]> {
  const codes = tries.flatMap(({ transactionCode }) => transactionCode ?? [])
  const rows =
    codes.length === 0
      ? []
      : await listEverywhere(
          db,
          (from) =>
            from.selectFrom('transactions').selectAll().where('code', 'in', codes).execute(),
          ({ code }) => code,
        )
  const found = new Map<number | undefined, Transaction>(
    rows.map((row) => [row.code, storedTransaction.read(row)]),
  )
  return tries.map((linkTry) => ({
    linkTry,
    transaction: found.get(linkTry.transactionCode),
  }))
}

async function close(trx: Db, id: string): Promise<boolean> {
  // First, because PostgreSQL reads other tables as of the moment when a statement began to wait.
  await trx.run(lockTry({ try_id: id }))
  const { numUpdatedRows } = await trx
    .updateTable('payment_link_tries')
    .set({ open: 0, held_link: null })
    .where('id', '=', id)
    .where('open', '=', 1)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('transactions')
            .select('code')
            .whereRef('code', '=', 'transaction_code')
            .where('status', 'in', ['PENDING', 'UNDER-REVIEW']),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function claimTries(
  database: Database<RoomTables>,
  { machineNowMs, limit, busy = [] }: TryClaim,
): Promise<readonly InLane<LinkTry>[]> {
  const account = chargeAccountOf('payment_link_tries.transaction_code')
  const rows = await claim(database, {
    table: 'payment_link_tries',
    key: ['id'],
    rows: (db) =>
      db
        .selectFrom('payment_link_tries')
        .selectAll()
        .select(account.as('account_id'))
        // Literal, so that PostgreSQL uses the partial index.
        .where('open', '=', sql.lit(1))
        .where(isElsewhere(account, busy)),
    due: { at: 'next_look_at', longestMs: LINK_POLL_PAUSE_MS, nowMs: machineNowMs, limit },
    take: () => ({ next_look_at: machineNowMs + LINK_POLL_PAUSE_MS }),
  })
  return rows.map((row) => ({
    ...storedTry.read(row),
    lane: row.account_id ?? undefined,
  }))
}

async function forgetAddresses(database: Database<RoomTables>, nowMs: number): Promise<void> {
  await forget(database, {
    table: 'payment_link_tries',
    key: ['id'],
    where: (of) =>
      of.and([
        // Literal, so that PostgreSQL uses the partial index.
        of('address', 'is not', null),
        of('open', '=', sql.lit(0)),
        of('created_at', '<=', nowMs - CARD_TRIES_MS),
      ]),
    set: { address: null },
  })
}
