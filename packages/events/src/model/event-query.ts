import { type EventType, type ListQuery, cursorBy } from '@cofre/contracts'

/** The newest first. */
export const EVENT_CURSOR = cursorBy({
  createdAtMs: 'bigint',
  position: 'integer',
  subject: 'text',
})

/** Which events of a store. Times in epoch milliseconds. */
export interface EventQuery extends ListQuery {
  readonly type?: EventType | undefined
  /** A transaction's code. */
  readonly subject?: string | undefined
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly untilMs?: number | undefined
}
