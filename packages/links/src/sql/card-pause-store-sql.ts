import { CARD_TYPE } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import { claim } from '@cofre/work'
import { findAnywhere } from '@cofre/gateway/room'
import type { CardCounts, CardPauseStore, CountedCards, PayingPayer } from '../model/stores.js'
import { type RoomTables, storedPause } from './link-tables.js'
import {
  ALL_LINKS,
  CARD_PAUSE_MS,
  type CardPause,
  type CardCapacity,
  PAUSE_INTERVAL_MIN_MS,
  type PauseSubject,
  NOTIFY_PAUSE_MS,
  approvalsFor,
} from '../model/card-pause.js'

type Db = Connection<RoomTables>

export function createSqlCardPauseStore(database: Database<RoomTables>): CardPauseStore {
  const { reader } = database
  return {
    async ofStore(storeId) {
      const rows = await pausesOf(reader, storeId).orderBy('began_at', 'desc').execute()
      return rows.map(storedPause.read)
    },
    async ofLink({ storeId, linkId }) {
      const rows = await pausesOf(reader, storeId)
        .where('link_id', 'in', [ALL_LINKS, linkId])
        .execute()
      return rows.map(storedPause.read)
    },
    begin: (pause, machineNowMs) => database.transact((trx) => begin(trx, pause, machineNowMs)),
    lift: (of, nowMs) => database.transact((trx) => lift(trx, of, nowMs)),
    claimUnnotified: (machineNowMs, limit) => claimUnnotified(database, machineNowMs, limit),
    async markNotified({ storeId, linkId, beganAtMs }) {
      await database.transact((trx) =>
        trx
          .updateTable('link_card_pauses')
          .set({ next_told_at: null })
          .where('merchant_id', '=', storeId)
          .where('link_id', '=', linkId)
          .where('began_at', '=', beganAtMs)
          .execute(),
      )
    },
  }
}

export function createSqlCardCounts({ reader }: Database<RoomTables>): CardCounts {
  return {
    countDeclines: (of) => countDeclines(reader, of),
    hasApprovals: (of, count) => hasApprovals(reader, of, count),
    hasPaid: (payer) => hasPaid(reader, payer),
  }
}

function pausesOf(db: Db, storeId: string) {
  return db.selectFrom('link_card_pauses').selectAll().where('merchant_id', '=', storeId)
}

async function countDeclines(db: Db, { storeId, linkId, sinceMs }: CountedCards): Promise<number> {
  const { declines } = await db
    .selectFrom('card_declines')
    .select((of) => of.fn.countAll<number>().as('declines'))
    .where('declined_at', '>', sinceMs)
    .where((of) =>
      linkId === ALL_LINKS
        ? of.and([of('merchant_id', '=', storeId), of('link_id', 'is not', null)])
        : of('link_id', '=', linkId),
    )
    .executeTakeFirstOrThrow()
  return declines
}

/**
 * True if one more card may be requested: even if all cards in progress were declined, the declines
 * would stay below the limit. Exact for a locked link; for all links of a store, tries that open at
 * the same moment do not see each other.
 */
export async function hasCapacity(db: Db, places: CardCapacity): Promise<boolean> {
  // Counted first: a card that is declined meanwhile counts twice rather than not at all.
  const underWay = await countInProgress(db, places)
  const declines = underWay + (await countDeclines(db, places))
  return declines < places.declinesMin || (await hasApprovals(db, places, approvalsFor(declines)))
}

async function countInProgress(db: Db, of: CountedCards): Promise<number> {
  const { tries } = await cardTries(db, of)
    .select((row) => row.fn.countAll<number>().as('tries'))
    .where('tried.open', '=', 1)
    .where((row) =>
      row.or([
        row('tried.transaction_code', 'is', null),
        row.exists(
          row
            .selectFrom('transactions')
            .select('code')
            .whereRef('transactions.code', '=', 'tried.transaction_code')
            .where('transactions.status', '=', 'PENDING')
            // An authorized card is answered: it waits for its store.
            .where('transactions.capture', 'is', null),
        ),
      ]),
    )
    .executeTakeFirstOrThrow()
  return tries
}

/** With subqueries, because SQLite would join all links of a store and all tries of a link. */
function cardTries(db: Db, { storeId, linkId, sinceMs }: CountedCards) {
  return (
    db
      .selectFrom('payment_link_tries as tried')
      // Literal, so that PostgreSQL uses the partial index.
      .where('tried.method', '=', sql.lit(CARD_TYPE))
      .where('tried.created_at', '>', sinceMs)
      .where((of) =>
        linkId === ALL_LINKS
          ? of.exists(
              of
                .selectFrom('payment_links')
                .select('id')
                .whereRef('payment_links.id', '=', 'tried.link_id')
                .where('payment_links.merchant_id', '=', storeId),
            )
          : of('tried.link_id', '=', linkId),
      )
  )
}

async function hasApprovals(db: Db, of: CountedCards, count: number): Promise<boolean> {
  const rows = await cardTries(db, of)
    .select('tried.id')
    .where((row) =>
      row.exists(
        row
          .selectFrom('transactions')
          .select('code')
          .whereRef('transactions.code', '=', 'tried.transaction_code')
          .where((of) =>
            of.or([
              of('transactions.paid_at', 'is not', null),
              of('transactions.capture', 'is not', null),
            ]),
          ),
      ),
    )
    .limit(count)
    .execute()
  return rows.length >= count
}

async function hasPaid(
  db: Db,
  { storeId, document, email, paidBeforeMs }: PayingPayer,
): Promise<boolean> {
  const found = await findAnywhere(db, (from) =>
    from
      .selectFrom('transactions')
      .select('code')
      .where('payer_document', '=', document)
      .where('merchant_id', '=', storeId)
      .where((of) => of(of.fn('lower', ['payer_email']), '=', email.toLowerCase()))
      .where('paid_at', '<=', paidBeforeMs)
      .limit(1)
      .executeTakeFirst(),
  )
  return found !== undefined
}

async function begin(trx: Db, pause: CardPause, machineNowMs: number): Promise<boolean> {
  const { beganAtMs: nowMs } = pause
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('link_card_pauses')
    .values({ ...storedPause.rowOf(pause), next_told_at: machineNowMs })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'link_id'])
        .doUpdateSet((of) => ({
          declines: of.ref('excluded.declines'),
          began_at: of.ref('excluded.began_at'),
          ends_at: of.ref('excluded.ends_at'),
          next_told_at: of
            .case()
            .when('link_card_pauses.ends_at', '<=', nowMs - PAUSE_INTERVAL_MIN_MS)
            .then(of.ref('excluded.next_told_at'))
            .else(of.ref('link_card_pauses.next_told_at'))
            .end(),
        }))
        // A pause that ends later than possible began before the clock was set back.
        .where((of) =>
          of.or([
            of('link_card_pauses.ends_at', '<=', nowMs),
            of('link_card_pauses.ends_at', '>', nowMs + CARD_PAUSE_MS),
          ]),
        ),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

async function lift(trx: Db, { storeId, linkId }: PauseSubject, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('link_card_pauses')
    .set({ ends_at: nowMs })
    .where('merchant_id', '=', storeId)
    .where('link_id', '=', linkId)
    .where('ends_at', '>', nowMs)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function claimUnnotified(
  database: Database<RoomTables>,
  machineNowMs: number,
  limit: number,
): Promise<readonly CardPause[]> {
  const rows = await claim(database, {
    table: 'link_card_pauses',
    key: ['merchant_id', 'link_id'],
    rows: (db) =>
      db.selectFrom('link_card_pauses').selectAll().where('next_told_at', 'is not', null),
    due: { at: 'next_told_at', longestMs: NOTIFY_PAUSE_MS, nowMs: machineNowMs, limit },
    take: () => ({ next_told_at: machineNowMs + NOTIFY_PAUSE_MS }),
  })
  return rows.map(storedPause.read)
}
