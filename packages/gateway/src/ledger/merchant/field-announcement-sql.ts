// What the vault is told of the card fields of stores, until it has acknowledged it.
import { type Clock, HOUR_MS } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { isPast } from '@cofre/work'
import type { Announcement, WaitingFields } from '../../model/merchant/field-announcement.js'
import type { MerchantSettings } from '../../model/merchant/merchant.js'
import { type GatewayTables, storedSettings } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

/**
 * After which the vault is told again what it has acknowledged: its database, or this one, may have
 * been restored from an older copy since.
 */
export const TOLD_AGAIN_AFTER_MS: number = HOUR_MS

type FieldSetting = 'fieldOrigins' | 'showsBin'

/** Whether the vault has to hear of a store: where nothing was ever told, it shows no fields. */
export function areToldOf({ fieldOrigins, showsBin }: Pick<MerchantSettings, FieldSetting>) {
  return fieldOrigins.length > 0 || showsBin
}

/** Has the vault told a store's settings, in the unit of work that changes them. */
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
  const told = {
    revision: nextRevision(kept?.revision ?? 0, nowMs),
    waiting_since: kept?.waiting_since ?? nowMs,
    next_told_at: nowMs,
  }
  await trx
    .insertInto('field_announcements')
    .values({ merchant_id: merchantId, ...told })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(told))
    .execute()
}

/** A time, so that it goes on growing after a restore; never one that was used before. */
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
  const { reader } = database
  return {
    /** What the vault is to be told now, what has waited longest first. */
    async due(limit: number): Promise<readonly Announcement[]> {
      const rows = await reader
        .selectFrom('field_announcements as announcement')
        .innerJoin('merchants', 'merchants.id', 'announcement.merchant_id')
        .select([...storedSettings.columns, 'merchants.id', 'announcement.revision'])
        .where(isPast('next_told_at', clock.now(), TOLD_AGAIN_AFTER_MS))
        .orderBy('announcement.next_told_at')
        .limit(limit)
        .execute()
      return rows.map(({ id, revision, ...row }) => {
        const { fieldOrigins, showsBin } = storedSettings.read(row)
        return { storeId: id, revision, origins: fieldOrigins, showsBin }
      })
    },

    /** The vault has not acknowledged it: what is due beside it comes first. */
    putBehind: ({ storeId, revision }: Announcement) =>
      database.transact((trx) =>
        trx
          .updateTable('field_announcements')
          .set({ next_told_at: clock.now() })
          .where('merchant_id', '=', storeId)
          .where('revision', '=', revision)
          .execute(),
      ),

    /**
     * Takes the vault's answer to an announcement: which revision it has. One that was changed
     * meanwhile is told anyway. Where the vault has a newer one than was ever made here, this
     * database was restored from an older copy: what stands here counts, under a still newer one.
     */
    acknowledged: ({ storeId, revision }: Announcement, kept: number) =>
      database.transact((trx) =>
        trx
          .updateTable('field_announcements')
          .set(
            kept > revision
              ? { revision: nextRevision(kept, clock.now()), next_told_at: clock.now() }
              : { waiting_since: null, next_told_at: clock.now() + TOLD_AGAIN_AFTER_MS },
          )
          .where('merchant_id', '=', storeId)
          .where('revision', '=', revision)
          .execute(),
      ),
  }
}

/** Those that have waited longest first. */
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
