import type { FollowsPayments } from '@cofre/gateway/room'
import { lockIndex, requestIndexing, unindexPayments } from './payment-index-sql.js'
import { moveTerms } from './term-move-sql.js'

/** The index's subscription to changes of payments. */
export const indexFollows: FollowsPayments = {
  changed: requestIndexing,
  lock: lockIndex,
  move: moveTerms,
  remove: unindexPayments,
}
