import type { Answer } from '@cofre/contracts'

/** Faults of a call: the request is lost, the answer is lost, or the bank refuses. */
export type Disturbance =
  | 'cut-before'
  | 'cut-after'
  | 'refused'
  | 'unavailable'
  | 'away-for-a-minute'
  | 'rejected'

export const REFUSED = { kind: 'refused', detail: 'the bank says no' } as const
const CUT = { kind: 'unknown', detail: 'connection cut' } as const

/** The calls of a bank, some of which are disturbed. */
export function createBankCalls<Call extends string>() {
  const calls: Call[] = []
  const disturbances: [Call, Disturbance][] = []
  return {
    /** The calls so far. */
    calls,
    /** Disturbs the next call of that name; each further disturbance hits the following call. */
    disturb: (call: Call, ...each: Disturbance[]): void => {
      for (const disturbance of each) disturbances.push([call, disturbance])
    },
    /** Performs a call, unless it is disturbed. */
    on: async <T>(name: Call, act: () => Answer<T>): Promise<Answer<T>> => {
      calls.push(name)
      await Promise.resolve()
      const at = disturbances.findIndex(([call]) => call === name)
      const [, disturbance] = (at < 0 ? undefined : disturbances.splice(at, 1)[0]) ?? []
      switch (disturbance) {
        case undefined:
          return act()
        case 'cut-before':
          return CUT
        case 'cut-after':
          act()
          return CUT
        case 'rejected':
          act()
          throw new Error('a connector that fails')
        case 'refused':
          return REFUSED
        case 'unavailable':
          return { kind: 'not-sent', cause: 'no-connection', detail: 'no connection' }
        case 'away-for-a-minute':
          return {
            kind: 'not-sent',
            cause: 'limited',
            detail: 'status 429',
            retryAfterMs: 60_000,
          }
      }
    },
  }
}
