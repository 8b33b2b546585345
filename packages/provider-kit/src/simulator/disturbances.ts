// Disturbances of single calls, for tests, and of all calls, for people.
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export interface Call {
  readonly method: string
  readonly path: string
}

/** A disturbance of a call, beyond the provider's documentation. */
export type Effect =
  | { readonly kind: 'late'; readonly delayMs: number }
  | { readonly kind: 'cut'; readonly when: 'before' | 'after' }
  /** Sends this answer instead of carrying the call out. */
  | {
      readonly kind: 'answer'
      readonly status: ContentfulStatusCode
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }

export interface Disturbance {
  readonly effect: Effect
  /** The affected calls; if absent, all. */
  readonly on?: (call: Call) => boolean
  /** Number of affected calls; if absent, one. */
  readonly times?: number
}

export interface Disturbances {
  add(disturbance: Disturbance): void
  clear(): void
  /** The effects on this call; uses up one count of the first matching disturbance. */
  take(call: Call): readonly Effect[]
}

/**
 * A person's settings for every call. A provider that is `away` accepts neither connections nor
 * calls.
 */
export interface CallConditions {
  /** The delay of every answer, in milliseconds. */
  delayMs: number
  /** Connections are kept, or cut before or after the call is carried out. */
  connection: 'kept' | 'cut-before' | 'cut-after' | 'away'
}

export function createDisturbances(conditions: CallConditions): Disturbances {
  let waiting: readonly Required<Disturbance>[] = []
  return {
    add({ effect, on = () => true, times = 1 }) {
      waiting = [...waiting, { effect, on, times }]
    },

    clear() {
      waiting = []
    },

    take(call) {
      const meant = waiting.find(({ on, times }) => times > 0 && on(call))
      waiting = waiting.map((other) =>
        other === meant ? { ...other, times: other.times - 1 } : other,
      )
      return [...standing(conditions), ...(meant === undefined ? [] : [meant.effect])]
    },
  }
}

function standing({ delayMs, connection }: CallConditions): readonly Effect[] {
  return [
    ...(delayMs > 0 ? [{ kind: 'late', delayMs } as const] : []),
    ...(connection === 'cut-before' || connection === 'away'
      ? [{ kind: 'cut', when: 'before' } as const]
      : []),
    ...(connection === 'cut-after' ? [{ kind: 'cut', when: 'after' } as const] : []),
  ]
}
