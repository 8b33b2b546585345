// Announcements of stores' card fields to the vault, until it acknowledges them.
import { type Clock, HOUR_MS, SECOND_MS } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { claim, readEach } from '@cofre/work'
import type { Announcement, WaitingFields } from '../../model/merchant/field-announcement.js'
import type { MerchantSettings } from '../../model/merchant/merchant.js'
import { type GatewayTables, storedSettings } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

/**
 * Acknowledged settings are sent to the vault again after this time. Its database, or this one, may
 * have been restored from an older backup since.
 */
export const ANNOUNCED_AGAIN_AFTER_MS: number = HOUR_MS

/** Short, so that the vault gets missed settings within seconds after an outage. */
const ANNOUNCEMENT_LEASE_MS = 5 * SECOND_MS

type FieldSetting = 'fieldOrigins' | 'showsBin'

/** True if the vault must know a store's settings: without them, it shows no fields. */
export function areAnnounced({ fieldOrigins, showsBin }: Pick<MerchantSettings, FieldSetting>) {
  return fieldOrigins.length > 0 || showsBin
}

/** Announces a store's settings to the vault, in the unit of work that changes them. */
export async function announceFields(
  trx: Db,
  merchantId: string,
  { clock }: { readonly clock: Clock },
): Promise<void> {
  const nowMs = clock.now()
  const kept = await trx
    .selectFrom('field_announcements')
    .select(['revision', 'waiting_since'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst()
  const columns = {
    revision: nextRevision(kept?.revision ?? 0, nowMs),
    waiting_since: kept?.waiting_since ?? nowMs,
    next_told_at: nowMs,
  }
  await trx
    .insertInto('field_announcements')
    .values({ merchant_id: merchantId, ...columns })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(columns))
    .execute()
}

/** A time, so that revisions keep growing after a restore; never a used one. */
function nextRevision(last: number, nowMs: number): number {
  return Math.max(nowMs, last + 1)
}

export function createSqlFieldAnnouncements({
  database,
  clock,
}: {
  readonly database: Database<GatewayTables>
  /** The machine's own time. */
  readonly clock: Clock
}) {
  return {
    /**
     * Claims due announcements, each for exactly one caller until its lease ends. An announcement
     * that the vault does not acknowledge is due again then.
     */
    claim: (wanted: AnnouncementClaim) => claimAnnouncements(database, clock.now(), wanted),

    /**
     * Records the vault's answer to an announcement: the revision that it has. Settings that
     * changed meanwhile are announced anyway. A revision newer than any made here shows that this
     * database was restored from an older backup. Its settings are then announced again, with a
     * still newer revision.
     */
    acknowledged: ({ storeId, revision }: Announcement, kept: number) =>
      database.transact((trx) =>
        trx
          .updateTable('field_announcements')
          .set(
            kept > revision
              ? { revision: nextRevision(kept, clock.now()), next_told_at: clock.now() }
              : { waiting_since: null, next_told_at: clock.now() + ANNOUNCED_AGAIN_AFTER_MS },
          )
          .where('merchant_id', '=', storeId)
          .where('revision', '=', revision)
          .execute(),
      ),
  }
}

/** A worker's claim of announcements. */
export interface AnnouncementClaim {
  readonly limit: number
  /** Called for a store whose settings cannot be read. */
  readonly unreadable: (error: unknown, storeId: string) => void
}

async function claimAnnouncements(
  database: Database<GatewayTables>,
  nowMs: number,
  { limit, unreadable }: AnnouncementClaim,
): Promise<readonly Announcement[]> {
  const claimed = await claim(database, {
    table: 'field_announcements',
    key: ['merchant_id'],
    rows: (db) => db.selectFrom('field_announcements').select('merchant_id'),
    due: { at: 'next_told_at', longestMs: ANNOUNCED_AGAIN_AFTER_MS, nowMs, limit },
    take: () => ({ next_told_at: nowMs + ANNOUNCEMENT_LEASE_MS }),
  })
  if (claimed.length === 0) return []
  // Settings and their revision in one query, so that neither is older than the other.
  const rows = await database.reader
    .selectFrom('field_announcements as announcement')
    .innerJoin('merchants', 'merchants.id', 'announcement.merchant_id')
    .select([...storedSettings.columns, 'merchants.id', 'announcement.revision'])
    .where(
      'merchants.id',
      'in',
      claimed.map(({ merchant_id }) => merchant_id),
    )
    .execute()
  return readEach(
    rows,
    ({ id, revision, ...row }) => {
      const { fieldOrigins, showsBin } = storedSettings.read(row)
      return { storeId: id, revision, origins: fieldOrigins, showsBin }
    },
    (error, { id }) => {
      unreadable(error, id)
    },
  )
}

/** The stores that wait for the vault, the longest wait first. */
export async function waitingFields(reader: Db): Promise<readonly WaitingFields[]> {
  const rows = await reader
    .selectFrom('field_announcements')
    .select(['merchant_id', 'waiting_since'])
    .where('waiting_since', 'is not', null)
    .orderBy('waiting_since')
    .execute()
  return rows.map(({ merchant_id, waiting_since }) => ({
    storeId: merchant_id,
    sinceMs: waiting_since ?? 0,
  }))
}
