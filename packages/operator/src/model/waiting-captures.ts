import type { ListPage, ListQuery } from '@cofre/contracts'
import type { Transaction, TransactionCode } from '@cofre/gateway/room'

/** An order that ends an authorized payment. */
export type EndOrder = 'capture' | 'void'

/** An authorized payment of a list. */
export interface WaitingCapture {
  readonly transaction: Transaction
  /** Its order that the acquirer hasn't confirmed yet. */
  readonly ordered: EndOrder | undefined
}

/** Authorized payments, which wait for their capture. */
export interface WaitingCaptures {
  /** Those of a store, in the order in which the store's rule acts on them. */
  readonly list: (storeId: string, query: ListQuery) => Promise<ListPage<WaitingCapture>>
  /** The order of one payment that the acquirer hasn't confirmed yet. */
  readonly orderedOf: (code: TransactionCode) => Promise<EndOrder | undefined>
}
