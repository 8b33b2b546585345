// What a test wants of single calls, and a person of all of them.
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export interface Call {
  readonly method: string
  readonly path: string
}

/** What happens to a call besides what the document says. */
export type Effect =
  | { readonly kind: 'late'; readonly delayMs: number }
  | { readonly kind: 'cut'; readonly when: 'before' | 'after' }
  /** Answers so instead of carrying the call out. */
  | {
      readonly kind: 'answer'
      readonly status: ContentfulStatusCode
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }

export interface Disturbance {
  readonly effect: Effect
  /** Which calls; all without it. */
  readonly on?: (call: Call) => boolean
  /** How many of them; one without it. */
  readonly times?: number
}

export interface Disturbances {
  add(disturbance: Disturbance): void
  clear(): void
  /** What happens to this call; the first disturbance that is meant for it is used up by one. */
  take(call: Call): readonly Effect[]
}

/** What a person may set of every call. Who is away takes no new connection, and no call either. */
export interface CallConditions {
  /** By how much every answer is late, in milliseconds. */
  delayMs: number
  /** Whether connections are cut, before the call is carried out or after. */
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
