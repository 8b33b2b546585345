// Changes of stores' keys, each recorded with its author.
import { STORE_SCOPES, type Secret } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import {
  type Merchant,
  type Rotation,
  type StoreActor,
  type StoreChange,
} from '../../model/merchant/merchant.js'
import {
  FIRST_KEY,
  type KeyRefusal,
  type NewKey,
  STORE_KEYS_MAX,
} from '../../model/merchant/store-key.js'
import type { GatewayTables, StoreKeyRow } from '../database/gateway-tables.js'
import { createKeyUses } from './key-use-sql.js'
import type { MerchantStoreDeps } from './merchant-store-deps.js'
import { insertStoreChange } from './store-change-sql.js'
import {
  NOTIFICATION_KEY,
  isLiveRow,
  keysOf,
  recordOf,
  rewrapSecrets,
  updateKey,
} from './store-key-sql.js'

type Db = Connection<GatewayTables>

/** A change of a store's keys with its author. */
type KeyChange = MerchantStoreDeps & { readonly actor: StoreActor }

export function keysBy(deps: MerchantStoreDeps) {
  const { database } = deps
  return {
    keysOf: (storeId: string) => keysOf(database.reader, storeId),

    /** Adds a key to the store's, of which at most {@link STORE_KEYS_MAX} are live. */
    addKey: (storeId: string, key: NewKey, actor: StoreActor) =>
      database.transact((trx) => addKey(trx, storeId, { key, change: { ...deps, actor } })),

    /**
     * Ends a key at once. The first one only when the store has a secret for its notifications:
     * until then, they are signed by that key.
     */
    endKey: (storeId: string, keyId: string, actor: StoreActor) =>
      database.transact((trx) => endKey(trx, storeId, { keyId, change: { ...deps, actor } })),

    /**
     * Gives a key a new secret; the replaced one signs for a while. False if there is no such live
     * key, or if it does not meet the rotation's condition.
     */
    rotateSecret: (storeId: string, secret: Secret<string>, rotation: Rotation) =>
      database.transact((trx) => rotateSecret(trx, storeId, { deps, secret, rotation })),

    /**
     * Gives the store's notifications a secret of their own, or another one. The one before signs
     * beside it for a while. False if there is no such store.
     */
    drawNotificationSecret: (
      storeId: string,
      secret: Secret<string>,
      { actor, ...draw }: Pick<Rotation, 'previousUntilMs' | 'isLost' | 'actor'>,
    ) =>
      database.transact((trx) =>
        drawNotificationSecret(trx, storeId, {
          secret,
          ...draw,
          change: { ...deps, actor },
        }),
      ),

    /**
     * Records that a key has signed, at most once a minute, and when its store has signed in the
     * specification's form, once a day.
     */
    signed: createKeyUses(deps),

    /**
     * Wraps with the current key each secret that is in the clear or wrapped by another key.
     * Returns the number of stores' keys.
     * @throws StoreSecretError if a secret's key is missing
     */
    rewrapSecrets: () => rewrapSecrets(deps),
  }
}

/** Changes of a store take turns, so that each one knows the state before it. */
function lockStore(trx: Db, storeId: string) {
  return trx
    .selectFrom('merchants')
    .select(['id', 'enabled'])
    .where('id', '=', storeId)
    .forUpdate()
    .executeTakeFirst()
}

/** A key of a locked store. */
function findKey(trx: Db, storeId: string, keyId: string): Promise<StoreKeyRow | undefined> {
  return trx
    .selectFrom('store_keys')
    .selectAll()
    .where('merchant_id', '=', storeId)
    .where('id', '=', keyId)
    .executeTakeFirst()
}

/** Inserts the first key of a new store. */
export async function insertFirstKey(
  trx: Db,
  { id, secret, previousSecret }: Merchant,
  { clock, secrets }: MerchantStoreDeps,
): Promise<void> {
  await insertKey(trx, {
    merchant_id: id,
    id: FIRST_KEY,
    name: '',
    scopes: JSON.stringify(STORE_SCOPES),
    secret: secrets.wrap(id, secret),
    previous_secret: previousSecret === undefined ? null : secrets.wrap(id, previousSecret.secret),
    previous_until: previousSecret?.untilMs ?? null,
    created_at: clock.now(),
    ends_at: null,
  })
}

async function insertKey(trx: Db, row: Omit<StoreKeyRow, 'used_at'>): Promise<void> {
  await trx
    .insertInto('store_keys')
    .values({ ...row, used_at: null })
    .execute()
}

async function addKey(
  trx: Db,
  storeId: string,
  { key, change }: { readonly key: NewKey; readonly change: KeyChange },
): Promise<KeyRefusal | undefined> {
  const { clock, secrets } = change
  if ((await lockStore(trx, storeId)) === undefined) return 'no-store'
  const rows = await trx
    .selectFrom('store_keys')
    .select(['id', 'ends_at'])
    .where('merchant_id', '=', storeId)
    .where('id', '!=', NOTIFICATION_KEY)
    .execute()
  if (rows.filter((row) => isLiveRow(row, clock.now())).length >= STORE_KEYS_MAX) return 'too-many'
  const { id, name, scopes, secret, endsAtMs } = key
  await insertKey(trx, {
    merchant_id: storeId,
    id,
    name,
    scopes: JSON.stringify(scopes),
    secret: secrets.wrap(recordOf(storeId, id), secret),
    previous_secret: null,
    previous_until: null,
    created_at: clock.now(),
    ends_at: endsAtMs ?? null,
  })
  const settings = {
    key: { to: id },
    name: { to: name },
    scopes: { to: scopes },
    endsAt: { to: timeShown(endsAtMs) },
  }
  await insertStoreChange(trx, { storeId, action: 'key-added', settings }, change)
  return undefined
}

async function endKey(
  trx: Db,
  storeId: string,
  { keyId, change }: { readonly keyId: string; readonly change: KeyChange },
): Promise<KeyRefusal | undefined> {
  const nowMs = change.clock.now()
  if ((await lockStore(trx, storeId)) === undefined) return 'no-store'
  const key = await findKey(trx, storeId, keyId)
  if (key === undefined || keyId === NOTIFICATION_KEY) return 'unknown'
  if (!isLiveRow(key, nowMs)) return 'ended-before'
  if (keyId === FIRST_KEY && (await findKey(trx, storeId, NOTIFICATION_KEY)) === undefined)
    return 'signs-notifications'
  await updateKey(trx, key, { previous_secret: null, previous_until: null, ends_at: nowMs })
  if (keyId === FIRST_KEY) await dropFromNotifications(trx, key, change)
  const settings = { key: { to: keyId }, endsAt: { to: timeShown(nowMs) } }
  await insertStoreChange(trx, { storeId, action: 'key-ended', settings }, change)
  return undefined
}

interface WantedRotation {
  readonly deps: MerchantStoreDeps
  readonly secret: Secret<string>
  readonly rotation: Rotation
}

async function rotateSecret(
  trx: Db,
  storeId: string,
  { deps, secret, rotation }: WantedRotation,
): Promise<boolean> {
  const { keyId = FIRST_KEY, previousUntilMs, replaces, isLost, actor } = rotation
  const { clock, secrets } = deps
  const store = await lockStore(trx, storeId)
  const key = keyId === NOTIFICATION_KEY ? undefined : await findKey(trx, storeId, keyId)
  if (store === undefined || key === undefined || !isLiveRow(key, clock.now())) return false
  const record = recordOf(storeId, keyId)
  const current = secrets.read(record, key.secret)
  const isReplaceable = store.enabled === 1 && current.reveal() === replaces?.reveal()
  if (replaces !== undefined && !isReplaceable) return false
  await replaceSecret(trx, key, {
    values: {
      secret: secrets.wrap(record, secret),
      ...(isLost?.(current) === true
        ? { previous_secret: key.previous_secret, previous_until: key.previous_until }
        : { previous_secret: key.secret, previous_until: previousUntilMs }),
    },
    change: { ...deps, actor },
  })
  return true
}

type SecretValues = Pick<StoreKeyRow, 'secret' | 'previous_secret' | 'previous_until'>

async function replaceSecret(
  trx: Db,
  key: StoreKeyRow,
  { values, change }: { readonly values: SecretValues; readonly change: KeyChange },
): Promise<void> {
  await updateKey(trx, key, values)
  const isAtOnce = (values.previous_until ?? -Infinity) <= change.clock.now()
  if (key.id === FIRST_KEY && isAtOnce) await dropFromNotifications(trx, key, change)
  const settings: StoreChange['settings'] = {
    ...(key.id !== FIRST_KEY && { key: { to: key.id } }),
    previousSecretUntil: { to: timeShown(values.previous_until) },
  }
  const { merchant_id: storeId } = key
  await insertStoreChange(trx, { storeId, action: 'rotated', settings }, change)
}

/** The secrets of the first key that signed until now no longer sign notifications either. */
async function dropFromNotifications(
  trx: Db,
  { merchant_id: storeId, ...first }: StoreKeyRow,
  { secrets }: KeyChange,
): Promise<void> {
  const drawn = await findKey(trx, storeId, NOTIFICATION_KEY)
  const signedBefore = drawn?.previous_secret ?? undefined
  if (signedBefore === undefined) return
  const before = secrets.read(recordOf(storeId, NOTIFICATION_KEY), signedBefore).reveal()
  const { secret, previous_secret: previous } = first
  const dropped = [secret, ...(previous === null ? [] : [previous])]
    .map((text) => secrets.read(storeId, text).reveal())
    .includes(before)
  if (!dropped) return
  const notifying = { merchant_id: storeId, id: NOTIFICATION_KEY }
  await updateKey(trx, notifying, { previous_secret: null, previous_until: null })
}

/**
 * Gives the first key of a locked store the secret that a start brings. An unchanged secret keeps
 * the previous one alive.
 */
export async function setFirstSecret(
  trx: Db,
  { id, secret, previousSecret }: Merchant,
  change: KeyChange,
): Promise<void> {
  const { secrets } = change
  const key = await findKey(trx, id, FIRST_KEY)
  if (key === undefined || secrets.read(id, key.secret).reveal() === secret.reveal()) return
  await replaceSecret(trx, key, {
    values: {
      secret: secrets.wrap(id, secret),
      previous_secret:
        previousSecret === undefined ? null : secrets.wrap(id, previousSecret.secret),
      previous_until: previousSecret?.untilMs ?? null,
    },
    change,
  })
}

interface WantedDraw extends Pick<Rotation, 'previousUntilMs' | 'isLost'> {
  readonly secret: Secret<string>
  readonly change: KeyChange
}

async function drawNotificationSecret(
  trx: Db,
  storeId: string,
  { secret, previousUntilMs, isLost, change }: WantedDraw,
): Promise<boolean> {
  const { clock, secrets } = change
  if ((await lockStore(trx, storeId)) === undefined) return false
  const drawn = await findKey(trx, storeId, NOTIFICATION_KEY)
  const before = drawn ?? (await findKey(trx, storeId, FIRST_KEY))
  if (before === undefined) return false
  const record = recordOf(storeId, NOTIFICATION_KEY)
  const signedBefore = secrets.read(recordOf(storeId, before.id), before.secret)
  const previous =
    drawn !== undefined && isLost?.(signedBefore) === true
      ? { previous_secret: drawn.previous_secret, previous_until: drawn.previous_until }
      : { previous_secret: secrets.wrap(record, signedBefore), previous_until: previousUntilMs }
  const values = {
    secret: secrets.wrap(record, secret),
    ...previous,
    created_at: clock.now(),
  }
  const facts = { merchant_id: storeId, id: NOTIFICATION_KEY, name: '', scopes: '[]' }
  if (drawn === undefined) await insertKey(trx, { ...facts, ...values, ends_at: null })
  else await updateKey(trx, drawn, values)
  const settings = { previousSecretUntil: { to: timeShown(previous.previous_until) } }
  await insertStoreChange(trx, { storeId, action: 'notification-secret-drawn', settings }, change)
  return true
}

function timeShown(atMs: number | null | undefined): string | null {
  return atMs === undefined || atMs === null ? null : new Date(atMs).toISOString()
}
