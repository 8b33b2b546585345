import type { Database } from '@cofre/sql'
import type { Kysely } from 'kysely'
import type { GatewayTables, IdempotencyKeyRow } from '../database/gateway-tables.js'
import {
  type ClaimResult,
  IDEMPOTENCY_LEASE_MS,
  IDEMPOTENCY_LIFETIME_MS,
  type IdempotencyClaim,
  type StoredAnswer,
} from '../../model/idempotency/idempotency-key.js'
import type { IdempotencyStore } from '../../model/idempotency/idempotency-store.js'

type Unit = Kysely<GatewayTables>

export function createSqlIdempotencyStore(database: Database<GatewayTables>): IdempotencyStore {
  return {
    claim: (claim) => database.transact((unit) => claimKey(unit, claim)),

    keepAnswer: (claim, answer) =>
      database.transact((unit) => update(unit, claim, { answer: JSON.stringify(answer) })),

    async release(claim) {
      await database.transact((unit) =>
        unit
          .deleteFrom('idempotency_keys')
          .where('merchant_id', '=', claim.merchantId)
          .where('key', '=', claim.key)
          .where('claimed_at', '=', claim.machineAtMs)
          .execute(),
      )
    },

    abandon: (claim) => database.transact((unit) => update(unit, claim, { claimed_at: LONG_AGO })),
  }
}

const LONG_AGO = 0

async function update(
  unit: Unit,
  claim: IdempotencyClaim,
  values: Partial<IdempotencyKeyRow>,
): Promise<void> {
  await unit
    .updateTable('idempotency_keys')
    .set(values)
    .where('merchant_id', '=', claim.merchantId)
    .where('key', '=', claim.key)
    .where('claimed_at', '=', claim.machineAtMs)
    .execute()
}

async function claimKey(unit: Unit, claim: IdempotencyClaim): Promise<ClaimResult> {
  const { merchantId, key, fingerprint, atMs, machineAtMs } = claim
  await unit
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', atMs - IDEMPOTENCY_LIFETIME_MS)
    .execute()
  const { numInsertedOrUpdatedRows } = await unit
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

  const known = await unit
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
  return (await takeOver(unit, claim, known))
    ? { kind: 'run', isRetry: true }
    : { kind: 'in_progress' }
}

/** Takes over the key of a request that died unanswered; exactly one of concurrent takers succeeds. */
async function takeOver(
  unit: Unit,
  claim: IdempotencyClaim,
  known: IdempotencyKeyRow,
): Promise<boolean> {
  // A claim of the future was made before the machine's clock was set back.
  if (Math.abs(claim.machineAtMs - known.claimed_at) < IDEMPOTENCY_LEASE_MS) return false
  const { numUpdatedRows } = await unit
    .updateTable('idempotency_keys')
    .set({ claimed_at: claim.machineAtMs })
    .where('merchant_id', '=', claim.merchantId)
    .where('key', '=', claim.key)
    .where('claimed_at', '=', known.claimed_at)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
