import type { Database } from '@cofre/sql'
import type { SandboxTables, SettlementModeRow } from '../database/sandbox-tables.js'

/** How payments that wait for the payer or the bank are settled. */
export type SettlementMode =
  | { readonly kind: 'at-once' }
  | { readonly kind: 'after'; readonly seconds: number }
  | { readonly kind: 'by-hand' }

/** The methods with their own mode. The default is `by-hand`, for refunds `at-once`. */
export const SETTLED_METHODS = ['boleto', 'pix', 'e-wallet', 'refund'] as const
export type SettledMethod = (typeof SETTLED_METHODS)[number]
export type SettlementModes = Readonly<Record<SettledMethod, SettlementMode>>

const DEFAULT_MODES: SettlementModes = {
  boleto: { kind: 'by-hand' },
  pix: { kind: 'by-hand' },
  'e-wallet': { kind: 'by-hand' },
  refund: { kind: 'at-once' },
}

export type SettlementModeStore = ReturnType<typeof createSqlSettlementModeStore>

export function createSqlSettlementModeStore(database: Database<SandboxTables>) {
  return {
    /** Every mode of the store, defaults included. */
    async modesOf(storeId: string): Promise<SettlementModes> {
      const rows = await database.reader
        .selectFrom('settlement_modes')
        .selectAll()
        .where('store_id', '=', storeId)
        .execute()
      const chosen = rows.map((row) => [row.method, modeOf(row)] as const)
      return { ...DEFAULT_MODES, ...Object.fromEntries(chosen) }
    },

    async setMode(storeId: string, method: SettledMethod, mode: SettlementMode): Promise<void> {
      const values = { kind: mode.kind, seconds: mode.kind === 'after' ? mode.seconds : null }
      await database.transact((trx) =>
        trx
          .insertInto('settlement_modes')
          .values({ store_id: storeId, method, ...values })
          .onConflict((conflict) => conflict.columns(['store_id', 'method']).doUpdateSet(values))
          .execute(),
      )
    },
  }
}

function modeOf({ kind, seconds }: SettlementModeRow): SettlementMode {
  if (kind === 'after') return { kind, seconds: seconds ?? 0 }
  return { kind: kind === 'at-once' ? 'at-once' : 'by-hand' }
}
