import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { SecretWrapping } from '../merchant/secret-wrapping.js'

const PURPOSE = 'idempotency-keys'
const KEY_BYTES = 32

interface KeyDigestDeps {
  readonly database: Database<GatewayTables>
  /** For the purpose `digest-key`. */
  readonly sealing: SecretWrapping
}

/**
 * Digests of idempotency keys. Shops may derive a key from a payer's data: without the key of the
 * digests, it cannot be found by trial.
 */
export function createSqlKeyDigests({ database, sealing }: KeyDigestDeps) {
  let opened: Promise<Secret<string>> | undefined
  const digestKey = (): Promise<Secret<string>> => {
    opened ??= findOrDraw(database, sealing).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    /** 43 letters, digits, `-`, `_`. @throws StoreSecretError if the gateway's key is missing */
    async of(storeId: string, key: string): Promise<string> {
      const text = JSON.stringify([storeId, key])
      return createHmac('sha256', (await digestKey()).reveal())
        .update(text)
        .digest('base64url')
    },

    /**
     * Wraps with the current key what another key wrapped; returns the number of keys.
     * @throws StoreSecretError if a key is missing
     */
    async rewrap(): Promise<number> {
      const wrapped = await findWrapped(database)
      if (wrapped === undefined) return 0
      const key = sealing.unwrap(PURPOSE, wrapped)
      if (!sealing.isOutdated(wrapped)) return 0
      const { numUpdatedRows } = await database.transact((trx) =>
        trx
          .updateTable('digest_keys')
          .set({ wrapped: sealing.wrap(PURPOSE, key) })
          .where('purpose', '=', PURPOSE)
          .where('wrapped', '=', wrapped)
          .executeTakeFirstOrThrow(),
      )
      return Number(numUpdatedRows)
    },
  }
}

/** Processes that draw a key at the same time all use the first one. */
async function findOrDraw(
  database: Database<GatewayTables>,
  sealing: SecretWrapping,
): Promise<Secret<string>> {
  if ((await findWrapped(database)) === undefined) {
    const drawn = new Secret(randomBytes(KEY_BYTES).toString('base64url'))
    await database.transact((trx) =>
      trx
        .insertInto('digest_keys')
        .values({ purpose: PURPOSE, wrapped: sealing.wrap(PURPOSE, drawn) })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  }
  const wrapped = await findWrapped(database)
  if (wrapped === undefined) throw new Error('the key of digests was removed')
  return sealing.unwrap(PURPOSE, wrapped)
}

async function findWrapped({ reader }: Database<GatewayTables>): Promise<string | undefined> {
  const row = await reader
    .selectFrom('digest_keys')
    .select('wrapped')
    .where('purpose', '=', PURPOSE)
    .executeTakeFirst()
  return row?.wrapped
}
