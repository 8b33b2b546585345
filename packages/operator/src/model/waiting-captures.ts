import type { ListPage, ListQuery } from '@cofre/contracts'
import type { Transaction } from '@cofre/gateway/room'

/** An authorized payment of a list. */
export interface WaitingCapture {
  readonly transaction: Transaction
  /** Its order that the acquirer hasn't confirmed yet. */
  readonly ordered: 'capture' | 'void' | undefined
}

/** Authorized payments, which wait for their capture. */
export interface WaitingCaptures {
  /** Those of a store, in the order in which the store's rule acts on them. */
  readonly list: (storeId: string, query: ListQuery) => Promise<ListPage<WaitingCapture>>
}
