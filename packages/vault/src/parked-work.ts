// Due work that rests, because it fails again and again and can't succeed by itself.
import type { Environment } from '@cofre/contracts'
import type { VaultConnection } from './database/vault-database.js'
import { listParkedChanges } from './outbox/change-sql.js'
import { contradictingEvents } from './refund/event-sql.js'

/** An item that waits for an event of its charge, or for an operator. */
export interface ParkedItem {
  readonly environment: Environment
  readonly transactionCode: string
  /** The item in the words of the log. */
  readonly what: string
  readonly sinceMs: number
}

/**
 * The parked items, oldest first, a thousand of each kind at most: changes that a gateway could not
 * apply five times, and events that contradict the known state of their charge.
 */
export async function parkedWork(reader: VaultConnection): Promise<readonly ParkedItem[]> {
  const [changes, events] = await Promise.all([
    listParkedChanges(reader),
    contradictingEvents(reader),
  ])
  const parked = [
    ...changes.map(({ environment, transactionCode, change, sinceMs }) => ({
      environment,
      transactionCode,
      what: `its gateway cannot apply ${change}`,
      sinceMs,
    })),
    ...events.map(({ change, ...event }) => ({
      ...event,
      what: `${change} contradicts what is known`,
    })),
  ]
  return parked.toSorted((one, other) => one.sinceMs - other.sinceMs)
}
