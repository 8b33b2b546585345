import { type Connection, type Database, prepare, valuesOf } from '@cofre/sql'
import { forget, hasCome } from '@cofre/work'
import type { GatewayTables, IdempotencyKeyRow } from '../database/gateway-tables.js'
import {
  type NonceUse,
  recordNonce,
  nonceUseOf,
  useOfNonce,
} from '../merchant/request-nonce-sql.js'
import {
  type ClaimResult,
  IDEMPOTENCY_LEASE_MS,
  IDEMPOTENCY_LIFETIME_MS,
  type IdempotencyClaim,
  type StoredResponse,
} from '../../model/idempotency/idempotency.js'

type Db = Connection<GatewayTables>

type KeyOfStore = Pick<IdempotencyKeyRow, 'merchant_id' | 'key'>

const forgetIfOld = prepare((db: Db, old: KeyOfStore & { readonly before: number }) =>
  db
    .deleteFrom('idempotency_keys')
    .where('merchant_id', '=', old.merchant_id)
    .where('key', '=', old.key)
    .where('created_at', '<', old.before),
)

interface RenamedKey extends KeyOfStore {
  readonly plain_key: string
  /** Older keys are forgotten. */
  readonly after: number
}

// Release 0.2 stored keys as they were sent; one may be needed for a day.
const digestPlainKey = prepare((db: Db, { merchant_id, key, plain_key, after }: RenamedKey) =>
  db
    .updateTable('idempotency_keys')
    .set((set) => ({ key: set.val(key) }))
    .where('merchant_id', '=', merchant_id)
    .where('key', '=', plain_key)
    .where('created_at', '>=', after)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('idempotency_keys as digested')
            .select('digested.key')
            .where('digested.merchant_id', '=', merchant_id)
            .where('digested.key', '=', key),
        ),
      ),
    ),
)

const insertIfFree = prepare((db: Db, row: IdempotencyKeyRow) =>
  db
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
)

const KEY_COLUMNS = [
  'merchant_id',
  'key',
  'fingerprint',
  'order_fingerprint',
  'answer',
  'claimed_at',
  'created_at',
] as const satisfies readonly (keyof IdempotencyKeyRow)[]

/** The same, if the previous statement has recorded the nonce of this request. */
const insertIfNonceIsRecorded = prepare((db: Db, row: IdempotencyKeyRow & NonceUse) =>
  db
    .insertInto('idempotency_keys')
    .columns(KEY_COLUMNS)
    .expression(useOfNonce(db, row).clearSelect().select(valuesOf(row, KEY_COLUMNS)))
    .onConflict((conflict) => conflict.doNothing()),
)

const findKey = prepare((db: Db, { merchant_id, key }: KeyOfStore) =>
  db
    .selectFrom('idempotency_keys')
    .select(KEY_COLUMNS)
    .where('merchant_id', '=', merchant_id)
    .where('key', '=', key),
)

const answerKey = prepare(
  (db: Db, row: KeyOfStore & Pick<IdempotencyKeyRow, 'answer' | 'claimed_at'>) =>
    db
      .updateTable('idempotency_keys')
      .set({ answer: row.answer })
      .where('merchant_id', '=', row.merchant_id)
      .where('key', '=', row.key)
      .where('claimed_at', '=', row.claimed_at),
)

export function createSqlIdempotencyStore(database: Database<GatewayTables>) {
  return {
    /**
     * Exactly one of the concurrent claims of a key, or of a nonce, may run. A key older than its
     * lifetime is forgotten.
     */
    claim: (claim: IdempotencyClaim) => claimKey(database, claim),

    /** Deletes keys that are older than their lifetime, in batches. */
    forget: (nowMs: number) =>
      forget(database, {
        table: 'idempotency_keys',
        key: ['merchant_id', 'key'],
        where: (of) => of('created_at', '<', nowMs - IDEMPOTENCY_LIFETIME_MS),
      }),

    /**
     * Stores the response for later requests with the key, unless another request has taken the key
     * over.
     */
    async keepResponse(claim: IdempotencyClaim, response: StoredResponse): Promise<void> {
      const { merchantId: merchant_id, key, machineAtMs: claimed_at } = claim
      const answer = JSON.stringify(response)
      await database.commit({ kept: answerKey({ merchant_id, key, claimed_at, answer }) })
    },

    /**
     * Frees the key of a refused request, which may be sent again after a correction. A key that
     * was taken over is not freed.
     */
    async release(claim: IdempotencyClaim): Promise<void> {
      await database.transact((trx) =>
        trx
          .deleteFrom('idempotency_keys')
          .where('merchant_id', '=', claim.merchantId)
          .where('key', '=', claim.key)
          .where('claimed_at', '=', claim.machineAtMs)
          .execute(),
      )
    },

    /** Lets the next request with the key take it over immediately. */
    abandon: (claim: IdempotencyClaim) =>
      database.transact((trx) => update(trx, claim, { claimed_at: LONG_AGO })),
  }
}

const LONG_AGO = 0

async function update(
  trx: Db,
  claim: IdempotencyClaim,
  values: Partial<IdempotencyKeyRow>,
): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set(values)
    .where('merchant_id', '=', claim.merchantId)
    .where('key', '=', claim.key)
    .where('claimed_at', '=', claim.machineAtMs)
    .execute()
}

async function claimKey(
  database: Database<GatewayTables>,
  claim: IdempotencyClaim,
): Promise<ClaimResult> {
  const { merchantId, key, plainKey, fingerprint, order, atMs, machineAtMs, nonce } = claim
  const ofStore = { merchant_id: merchantId, key }
  const before = atMs - IDEMPOTENCY_LIFETIME_MS
  const times = { claimed_at: machineAtMs, created_at: atMs }
  const fingerprints = { fingerprint, order_fingerprint: order?.fingerprint ?? null }
  const row = { ...ofStore, ...fingerprints, answer: null, ...times }
  const { kept, claimed, found } = await database.commit({
    ...(nonce !== undefined && { kept: recordNonce(nonce) }),
    old: forgetIfOld({ ...ofStore, before }),
    digested: digestPlainKey({ ...ofStore, plain_key: plainKey, after: before }),
    claimed:
      nonce === undefined
        ? insertIfFree(row)
        : insertIfNonceIsRecorded({ ...row, ...nonceUseOf(nonce) }),
    found: findKey(ofStore),
  })
  if (nonce !== undefined && kept.written !== 1) return { kind: 'nonce_used' }
  if (claimed.written === 1) return { kind: 'run', isRetry: false }
  const [known] = found.rows
  // The key was released between the two statements: the shop sends it again.
  if (known === undefined) return { kind: 'in_progress' }
  if (!isSameRequest(known, claim)) return { kind: 'other_request' }
  if (known.answer !== null)
    return { kind: 'replay', response: JSON.parse(known.answer) as StoredResponse }
  return (await database.transact((trx) => reclaim(trx, claim, known)))
    ? { kind: 'run', isRetry: true }
    : { kind: 'in_progress' }
}

function isSameRequest(
  known: IdempotencyKeyRow,
  { fingerprint, order }: IdempotencyClaim,
): boolean {
  const { order_fingerprint: ofOrder } = known
  const isSameOrder = ofOrder !== null && order?.isOf(ofOrder) === true
  return known.fingerprint === fingerprint || isSameOrder
}

/**
 * Takes over the key of a request that ended without a response; exactly one of several concurrent
 * requests succeeds.
 */
async function reclaim(
  trx: Db,
  claim: IdempotencyClaim,
  known: IdempotencyKeyRow,
): Promise<boolean> {
  const leaseEndsMs = known.claimed_at + IDEMPOTENCY_LEASE_MS
  if (!hasCome(leaseEndsMs, claim.machineAtMs, IDEMPOTENCY_LEASE_MS)) return false
  const { numUpdatedRows } = await trx
    .updateTable('idempotency_keys')
    .set({ claimed_at: claim.machineAtMs })
    .where('merchant_id', '=', claim.merchantId)
    .where('key', '=', claim.key)
    .where('claimed_at', '=', known.claimed_at)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
