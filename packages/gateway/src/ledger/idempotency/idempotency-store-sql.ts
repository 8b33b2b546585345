import type { Connection, Database } from '@cofre/sql'
import type { GatewayTables, IdempotencyKeyRow } from '../database/gateway-tables.js'
import {
  type ClaimResult,
  IDEMPOTENCY_LEASE_MS,
  IDEMPOTENCY_LIFETIME_MS,
  type IdempotencyClaim,
  type StoredAnswer,
} from '../../model/idempotency/idempotency-key.js'
import type { IdempotencyStore } from '../../model/idempotency/idempotency-store.js'

type Db = Connection<GatewayTables>

export function createSqlIdempotencyStore(database: Database<GatewayTables>): IdempotencyStore {
  return {
    claim: (claim) => database.transact((trx) => claimKey(trx, claim)),

    keepAnswer: (claim, answer) =>
      database.transact((trx) => update(trx, claim, { answer: JSON.stringify(answer) })),

    async release(claim) {
      await database.transact((trx) =>
        trx
          .deleteFrom('idempotency_keys')
          .where('merchant_id', '=', claim.merchantId)
          .where('key', '=', claim.key)
          .where('claimed_at', '=', claim.machineAtMs)
          .execute(),
      )
    },

    abandon: (claim) => database.transact((trx) => update(trx, claim, { claimed_at: LONG_AGO })),
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

async function claimKey(trx: Db, claim: IdempotencyClaim): Promise<ClaimResult> {
  const { merchantId, key, fingerprint, atMs, machineAtMs } = claim
  await trx
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', atMs - IDEMPOTENCY_LIFETIME_MS)
    .execute()
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('idempotency_keys')
    .values({
      merchant_id: merchantId,
      key,
      fingerprint,
      answer: null,
      claimed_at: machineAtMs,
      created_at: atMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return { kind: 'run', isRetry: false }

  const known = await trx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('key', '=', key)
    .executeTakeFirst()
  // Released between the two statements: the shop sends it again.
  if (known === undefined) return { kind: 'in_progress' }
  if (known.fingerprint !== fingerprint) return { kind: 'other_request' }
  if (known.answer !== null)
    return { kind: 'replay', answer: JSON.parse(known.answer) as StoredAnswer }
  return (await takeOver(trx, claim, known))
    ? { kind: 'run', isRetry: true }
    : { kind: 'in_progress' }
}

/**
 * Takes over the key of a request that died unanswered; exactly one of concurrent takers succeeds.
 */
async function takeOver(
  trx: Db,
  claim: IdempotencyClaim,
  known: IdempotencyKeyRow,
): Promise<boolean> {
  // A claim of the future was made before the machine's clock was set back.
  if (Math.abs(claim.machineAtMs - known.claimed_at) < IDEMPOTENCY_LEASE_MS) return false
  const { numUpdatedRows } = await trx
    .updateTable('idempotency_keys')
    .set({ claimed_at: claim.machineAtMs })
    .where('merchant_id', '=', claim.merchantId)
    .where('key', '=', claim.key)
    .where('claimed_at', '=', known.claimed_at)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
