// Refused uses of operators' keys, in the log of acts. Only who holds the key is logged.
import { type Clock, type Environment, type Log, MINUTE_MS } from '@cofre/contracts'
import type { OperatorKey, OperatorScope } from './model/operator-key.js'

/** A key's refused uses of one kind are one entry in this time, so that no key fills the log. */
const ENTRY_EVERY_MS = 10 * MINUTE_MS

/** The environment and the store in the path of a request. */
export interface RequestedStore {
  readonly environment: Environment
  readonly storeId?: string | undefined
}

export interface RefusedUse {
  readonly key: OperatorKey
  readonly address: string
  readonly place: RequestedStore
  readonly why: 'scope' | 'address' | 'ended'
  /** The missing one. */
  readonly scope?: OperatorScope
}

/** A refused use, as the log of acts has it. */
export interface RefusedAct extends RequestedStore {
  readonly actor: `operator-key:${string}`
  readonly action: 'operator:refused'
  readonly outcome: 'refused'
  readonly detail: Readonly<Record<string, string | number>>
  readonly address: string
  readonly browser: string
}

export interface RefusedUsesDeps {
  readonly acts: { readonly record: (act: RefusedAct) => Promise<number> }
  readonly machineClock: Clock
  readonly log: Log
}

/** Logs a refused use. A log that cannot be written changes no answer. */
export type LogRefusedUse = (use: RefusedUse) => Promise<void>

const MESSAGES = {
  scope: 'a key of an operator was used beyond its scopes',
  address: 'a key of an operator was used from an address it does not allow',
  ended: 'a key of an operator was used after its end',
} as const

export function createRefusedUses({ acts, log, machineClock }: RefusedUsesDeps): LogRefusedUse {
  // As many as there are keys, reasons and scopes.
  const entries = new Map<string, { readonly atMs: number; attempts: number }>()
  return async ({ key, address, place, why, scope }) => {
    log.warn({ key: key.id, address, ...(scope && { scope }) }, MESSAGES[why])
    const kind = `${key.id} ${why} ${scope ?? ''}`
    const nowMs = machineClock.now()
    const last = entries.get(kind)
    if (last !== undefined && Math.abs(nowMs - last.atMs) < ENTRY_EVERY_MS) {
      last.attempts++
      return
    }
    entries.set(kind, { atMs: nowMs, attempts: 0 })
    const before = last?.attempts ?? 0
    try {
      await acts.record({
        ...place,
        actor: `operator-key:${key.id}`,
        action: 'operator:refused',
        outcome: 'refused',
        detail: { why, ...(scope && { scope }), ...(before > 0 && { attemptsBefore: before }) },
        address,
        browser: '',
      })
    } catch (error) {
      log.error(
        { error, key: key.id },
        'a refused use of an operator’s key was not logged as an act',
      )
    }
  }
}
