import type { FollowsPayments } from '@cofre/gateway/room'
import { lockIndex, requestIndexing, unindexPayments } from './payment-index-sql.js'
import { moveTerms } from './term-move-sql.js'

/** How the index follows payments. */
export const indexFollows: FollowsPayments = {
  changed: requestIndexing,
  lock: lockIndex,
  move: moveTerms,
  remove: unindexPayments,
}
