import type { Connection, Database } from '@cofre/sql'
import type { GatewayTables, IdempotencyKeyRow } from '../database/gateway-tables.js'
import { useNonce } from '../merchant/request-nonce-sql.js'
import {
  type ClaimResult,
  IDEMPOTENCY_LEASE_MS,
  IDEMPOTENCY_LIFETIME_MS,
  type IdempotencyClaim,
  type StoredResponse,
} from '../../model/idempotency/idempotency.js'

type Db = Connection<GatewayTables>

export function createSqlIdempotencyStore(database: Database<GatewayTables>) {
  return {
    /**
     * Of concurrent claims of one key, or of one nonce, exactly one may run. Keys older than their
     * lifetime are forgotten.
     */
    claim: (claim: IdempotencyClaim) => database.transact((trx) => claimKey(trx, claim)),

    /**
     * Keeps the response for later requests with the key, unless another request has taken the key
     * over.
     */
    keepResponse: (claim: IdempotencyClaim, response: StoredResponse) =>
      database.transact((trx) => update(trx, claim, { answer: JSON.stringify(response) })),

    /**
     * Frees the key of a request that was refused: it may be sent again, mended. Not one that was
     * taken over.
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

    /** Lets the next request with the key take it over at once. */
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

async function claimKey(trx: Db, claim: IdempotencyClaim): Promise<ClaimResult> {
  const { merchantId, key, fingerprint, atMs, machineAtMs, nonce } = claim
  if (!(await useNonce(trx, nonce))) return { kind: 'nonce_used' }
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
    return { kind: 'replay', response: JSON.parse(known.answer) as StoredResponse }
  return (await takeOver(trx, claim, known))
    ? { kind: 'run', isRetry: true }
    : { kind: 'in_progress' }
}

/**
 * Takes over the key of a request that died without a response; of concurrent takers exactly one
 * succeeds.
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
