import type { Answer } from '@cofre/contracts'

/** What happens to a call: it is lost on its way, its answer is, or the bank says no. */
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
    /** What was asked of it. */
    calls,
    /** Disturbs the next call of that name; a further one the call after it. */
    disturb: (call: Call, ...each: Disturbance[]): void => {
      for (const disturbance of each) disturbances.push([call, disturbance])
    },
    /** Carries a call out, unless it is disturbed. */
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
