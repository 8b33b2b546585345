import { type Clock, MINUTE_MS } from '@cofre/contracts'
import { TooManyCalls } from './problem.js'

/** A client's calls per minute. */
export interface CallLimits {
  readonly tokens: number
  readonly webhooks: number
  readonly history: number
  /** All other calls. */
  readonly calls: number
}

/** The documented limits of production. */
export const PRODUCTION_LIMITS: CallLimits = { tokens: 5, webhooks: 5, history: 10, calls: 120 }

export interface CallBudget {
  /** @throws TooManyCalls */
  consume(client: string, kind: keyof CallLimits): void
}

export function createCallBudget(clock: Clock, limits: CallLimits): CallBudget {
  const spent = new Map<string, readonly number[]>()
  return {
    consume(client, kind) {
      const key = `${kind}/${client}`
      const nowMs = clock.now()
      const recent = (spent.get(key) ?? []).filter((timeMs) => timeMs > nowMs - MINUTE_MS)
      if (recent.length >= limits[kind]) throw new TooManyCalls()
      spent.set(key, [...recent, nowMs])
    },
  }
}
