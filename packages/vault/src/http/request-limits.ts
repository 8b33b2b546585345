import { isIPv6 } from 'node:net'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export type LimitReached = 'session_rate' | 'deposit_rate'

/** The number of requests for one address, in each process. */
export interface RequestLimits {
  /** 0 means no limit. */
  readonly sessionsPerMinute: number
  /** 0 means no limit. */
  readonly depositsPerMinute: number
  /** The sender's address. @param bindings - The server's data about the request */
  addressOf(request: Request, bindings: object): string
  /** Called for each request that is refused. */
  refused?(limit: LimitReached): void
}

/** Counts a request of an address. Returns the seconds to wait; undefined if none. */
export type RequestCounter = (address: string) => Promise<number | undefined>

export function countPerMinute(requestsMax: number): RequestCounter {
  if (requestsMax === 0) return () => Promise.resolve(undefined)
  const limiter = new RateLimiterMemory({ points: requestsMax, duration: MINUTE_MS / SECOND_MS })
  return async (address) => {
    try {
      await limiter.consume(networkOf(address))
      return undefined
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      return Math.max(1, Math.ceil(error.msBeforeNext / SECOND_MS))
    }
  }
}

/**
 * The network of an address. One subscriber has a whole /64 of IPv6, and could send each request
 * from another address.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  const all = [...groups, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...after]
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
