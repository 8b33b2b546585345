// When keys have signed.
import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import type { Merchant, SignatureForm } from '../../model/merchant/merchant.js'
import type { SigningKey } from '../../model/merchant/store-key.js'
import type { MerchantStoreDeps } from './merchant-store-deps.js'
import { recordOf, updateKey } from './store-key-sql.js'

/** How often the use of a key is written. */
const USE_RECORDED_EVERY_MS = MINUTE_MS
/** Uses of keys that a process remembers to have written. */
const REMEMBERED_MAX = 10_000

/** A request that a key has signed. */
export interface KeyUse {
  readonly merchant: Merchant
  readonly key: SigningKey
  readonly form: SignatureForm
}

export function createKeyUses({ database, clock }: MerchantStoreDeps) {
  /** When this process has written the use of a key: requests that arrive together write one. */
  const kept = new Map<string, number>()
  return async ({ merchant, key, form }: KeyUse): Promise<void> => {
    const nowMs = clock.now()
    const { id, specificationSignedAtMs = -DAY_MS } = merchant
    const name = recordOf(id, key.id)
    const usedAtMs = Math.max(key.usedAtMs ?? -Infinity, kept.get(name) ?? -Infinity)
    const isUseDue = nowMs >= usedAtMs + USE_RECORDED_EVERY_MS
    const isFormDue = form === 'specification' && nowMs >= specificationSignedAtMs + DAY_MS
    if (!isUseDue && !isFormDue) return
    if (kept.size >= REMEMBERED_MAX) kept.clear()
    kept.set(name, nowMs)
    await database.transact(async (trx) => {
      // The store first, as changes of its keys lock them.
      if (isFormDue) {
        const signed = { specification_signed_at: nowMs }
        await trx.updateTable('merchants').set(signed).where('id', '=', id).execute()
      }
      if (isUseDue) await updateKey(trx, { merchant_id: id, id: key.id }, { used_at: nowMs })
    })
  }
}
