import type { Clock } from '@cofre/contracts'
import { type ShownPayments, type Transaction, isPayerErased } from '@cofre/gateway/room'
import type { BlocksPayers } from './model/payment-acts.js'
import { findOwn } from './payment-files.js'
import type { StoreBlocks } from './sql/store-block-sql.js'

export interface PayerBlocks extends BlocksPayers {
  /** Undefined once the payer's data is erased. */
  readonly isBlocked: (payment: Transaction) => Promise<boolean | undefined>
}

export interface PayerBlocksDeps {
  readonly machineClock: Clock
  readonly payments: ShownPayments
  readonly storeBlocks: StoreBlocks
}

export function createPayerBlocks(deps: PayerBlocksDeps): PayerBlocks {
  const { machineClock, storeBlocks } = deps
  return {
    async block(storeId, code, actor) {
      const transaction = await findOwn(deps, storeId, code)
      if (transaction === undefined || isPayerErased(transaction)) return 'not-found'
      await storeBlocks.block(transaction, { actor, atMs: machineClock.now() })
      return 'blocked'
    },
    async unblock(storeId, code) {
      const transaction = await findOwn(deps, storeId, code)
      if (transaction === undefined || isPayerErased(transaction)) return 'not-found'
      await storeBlocks.unblock(transaction)
      return 'unblocked'
    },
    isBlocked: async (payment) =>
      isPayerErased(payment) ? undefined : await storeBlocks.isBlocked(payment),
  }
}
