import type { Connection } from '@cofre/sql'
import type { VaultTables } from '../vault-tables.js'
import type { SavedCard } from './saved-card.js'
import type { SavedCardStore } from './saved-card-store.js'

export function createSavedCardStore(trx: Connection<VaultTables>): SavedCardStore {
  return {
    async find(environment, merchantId, code) {
      const row = await trx
        .selectFrom('saved_cards')
        .selectAll()
        .where('code', '=', code)
        .where('environment', '=', environment)
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst()
      return row && savedCard(row)
    },

    count: () => count(trx),

    async insert(card) {
      const inserted = await trx
        .insertInto('saved_cards')
        .values(rowOf(card))
        .onConflict((conflict) => conflict.column('fingerprint').doNothing())
        .returning('code')
        .executeTakeFirst()
      return inserted !== undefined
    },

    async lockByFingerprint(fingerprint) {
      const row = await trx
        .selectFrom('saved_cards')
        .selectAll()
        .where('fingerprint', '=', fingerprint)
        .forUpdate()
        .executeTakeFirst()
      return row && savedCard(row)
    },

    async update({ code, sealedCard, activatedAtMs }) {
      await trx
        .updateTable('saved_cards')
        .set({ sealed_card: sealedCard, activated_at_ms: activatedAtMs ?? null })
        .where('code', '=', code)
        .execute()
    },

    activate: (code, nowMs) => activate(trx, code, nowMs),

    async delete(environment, merchantId, code) {
      const { numDeletedRows } = await trx
        .deleteFrom('saved_cards')
        .where('code', '=', code)
        .where('environment', '=', environment)
        .where('merchant_id', '=', merchantId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
  }
}

async function count(trx: Connection<VaultTables>): Promise<number> {
  const { kept } = await trx
    .selectFrom('saved_cards')
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow()
  return kept
}

async function activate(
  trx: Connection<VaultTables>,
  code: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('saved_cards')
    .set({ activated_at_ms: nowMs })
    .where('code', '=', code)
    .where('activated_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function rowOf(card: SavedCard): VaultTables['saved_cards'] {
  return {
    code: card.code,
    environment: card.environment,
    merchant_id: card.merchantId,
    payer: card.payer,
    fingerprint: card.fingerprint,
    sealed_card: card.sealedCard,
    activated_at_ms: card.activatedAtMs ?? null,
    created_at_ms: card.createdAtMs,
  }
}

function savedCard(row: VaultTables['saved_cards']): SavedCard {
  return {
    code: row.code,
    environment: row.environment,
    merchantId: row.merchant_id,
    payer: row.payer,
    fingerprint: row.fingerprint,
    sealedCard: row.sealed_card,
    activatedAtMs: row.activated_at_ms ?? undefined,
    createdAtMs: row.created_at_ms,
  }
}
