import { type ListPage, type ListQuery, type RefundStatus, cursorBy } from '@cofre/contracts'
import type { Refund, TransactionCode } from '@cofre/gateway/room'

/** A refund's number is drawn in the order of time. */
export const REFUND_CURSOR = cursorBy({ id: 'bigint' })

/** Which refunds of a store. */
export interface RefundQuery extends ListQuery {
  readonly status?: RefundStatus | undefined
  readonly transactionCode?: TransactionCode | undefined
  /** Asked for at or after. Epoch milliseconds. */
  readonly fromMs?: number | undefined
  /** Asked for before. */
  readonly untilMs?: number | undefined
}

export interface RefundLists {
  /** The newest first, of the archive too. */
  readonly list: (storeId: string, query: RefundQuery) => Promise<ListPage<Refund>>
}
