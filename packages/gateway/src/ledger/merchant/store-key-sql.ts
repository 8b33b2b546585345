// The keys of stores, their secrets wrapped for the database.
import { STORE_SCOPES, type StoreScope } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import type { Merchant } from '../../model/merchant/merchant.js'
import { FIRST_KEY, type ShownKeys, type StoreKey, isLive } from '../../model/merchant/store-key.js'
import type { GatewayTables, StoreKeyRow } from '../database/gateway-tables.js'
import type { MerchantStoreDeps } from './merchant-store-deps.js'
import type { SecretWrapping } from './secret-wrapping.js'

type Db = Connection<GatewayTables>

/** The id of the row with the secret of a store's notifications. It signs no requests. */
export const NOTIFICATION_KEY = 'notifications'

/** The first key's secret has been the store's, bound to it alone. */
export function recordOf(storeId: string, keyId: string): string {
  return keyId === FIRST_KEY ? storeId : `${storeId}/${keyId}`
}

/** A row of a store and one of its keys, whose `id` and `name` have other names there. */
export interface JoinedKey extends Omit<StoreKeyRow, 'merchant_id' | 'id' | 'name' | 'created_at'> {
  readonly key_id: string
  readonly key_name: string
  readonly key_created_at: number
}

/** Stores, each with its first key and its other live ones: a row for each key. */
export function storesWithKeys(db: Db, machineNowMs: number) {
  return db
    .selectFrom('merchants')
    .innerJoin('store_keys', 'store_keys.merchant_id', 'merchants.id')
    .select([
      'store_keys.id as key_id',
      'store_keys.name as key_name',
      'store_keys.scopes',
      'store_keys.secret',
      'store_keys.previous_secret',
      'store_keys.previous_until',
      'store_keys.created_at as key_created_at',
      'store_keys.used_at',
      'store_keys.ends_at',
    ])
    .where((of) =>
      of.or([
        of('store_keys.ends_at', 'is', null),
        of('store_keys.ends_at', '>', machineNowMs),
        of('store_keys.id', '=', FIRST_KEY),
      ]),
    )
    .orderBy('merchants.id')
    .orderBy('store_keys.created_at')
    .orderBy('store_keys.id')
}

type KeysOfMerchant = Pick<
  Merchant,
  'secret' | 'previousSecret' | 'firstKey' | 'furtherKeys' | 'notificationSecret'
>

/** @throws StoreSecretError for a secret that does not open */
export function keysOfMerchant(
  storeId: string,
  rows: readonly JoinedKey[],
  secrets: SecretWrapping,
): KeysOfMerchant {
  const keys = rows.map((row) => keyOf(storeId, row, secrets))
  const first = keys.find(({ id }) => id === FIRST_KEY)
  if (first === undefined) throw new Error(`the store ${storeId} has no first key`)
  const { secret, previousSecret, usedAtMs, endsAtMs } = first
  return {
    secret,
    previousSecret,
    firstKey: { usedAtMs, endsAtMs },
    furtherKeys: keys.filter(({ id }) => id !== FIRST_KEY && id !== NOTIFICATION_KEY),
    notificationSecret: keys.find(({ id }) => id === NOTIFICATION_KEY),
  }
}

function keyOf(storeId: string, row: JoinedKey, secrets: SecretWrapping): StoreKey {
  const { key_id: id, previous_secret: previous, previous_until: untilMs } = row
  const record = recordOf(storeId, id)
  return {
    id,
    name: row.key_name,
    scopes: scopesOf(row),
    secret: secrets.unwrap(record, row.secret),
    previousSecret:
      previous === null || untilMs === null
        ? undefined
        : { secret: secrets.unwrap(record, previous), untilMs },
    createdAtMs: row.key_created_at,
    usedAtMs: row.used_at ?? undefined,
    endsAtMs: row.ends_at ?? undefined,
  }
}

function scopesOf({ scopes }: Pick<StoreKeyRow, 'scopes'>): readonly StoreScope[] {
  const stored: unknown = JSON.parse(scopes)
  return STORE_SCOPES.filter((scope) => Array.isArray(stored) && stored.includes(scope))
}

export async function keysOf(reader: Db, storeId: string): Promise<ShownKeys> {
  const rows = await reader
    .selectFrom('store_keys')
    .select(['id', 'name', 'scopes', 'created_at', 'used_at', 'ends_at', 'previous_until'])
    .where('merchant_id', '=', storeId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const all = rows.map((row) => ({
    id: row.id,
    name: row.name,
    scopes: scopesOf(row),
    createdAtMs: row.created_at,
    usedAtMs: row.used_at ?? undefined,
    endsAtMs: row.ends_at ?? undefined,
    previousUntilMs: row.previous_until ?? undefined,
  }))
  return {
    keys: all.filter(({ id }) => id !== NOTIFICATION_KEY),
    notificationSecret: all.find(({ id }) => id === NOTIFICATION_KEY),
  }
}

export function isLiveRow(
  { ends_at }: Pick<StoreKeyRow, 'ends_at'>,
  machineNowMs: number,
): boolean {
  return isLive({ endsAtMs: ends_at ?? undefined }, machineNowMs)
}

/** Changes columns of a key. */
export async function updateKey(
  trx: Db,
  { merchant_id, id }: Pick<StoreKeyRow, 'merchant_id' | 'id'>,
  values: Partial<StoreKeyRow>,
): Promise<void> {
  await trx
    .updateTable('store_keys')
    .set(values)
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}

/**
 * Wraps with the current key each secret that is in the clear or wrapped by another key. Replaces
 * only what is unchanged since it was read: another process may rotate the secret.
 */
export async function rewrapSecrets({ database, secrets }: MerchantStoreDeps): Promise<number> {
  let count = 0
  for (const row of await database.reader.selectFrom('store_keys').selectAll().execute()) {
    const { merchant_id: storeId, id, secret, previous_secret: previous } = row
    const record = recordOf(storeId, id)
    const rewrapped = (text: string): string => secrets.wrap(record, secrets.read(record, text))
    const texts = [secret, ...(previous === null ? [] : [previous])]
    for (const text of texts) secrets.read(record, text)
    if (!texts.some((text) => secrets.isOutdated(text))) continue
    await database.transact((trx) =>
      trx
        .updateTable('store_keys')
        .set({
          secret: rewrapped(secret),
          previous_secret: previous === null ? null : rewrapped(previous),
        })
        .where('merchant_id', '=', storeId)
        .where('id', '=', id)
        .where('secret', '=', secret)
        .execute(),
    )
    count += 1
  }
  return count
}
