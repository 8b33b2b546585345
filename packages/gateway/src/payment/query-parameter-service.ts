import { ApiError } from '@cofre/contracts'
import { countByMinute } from '@cofre/jobs'
import type { GatewayDeps } from './gateway-deps.js'
import type { Merchant } from '../model/merchant/merchant.js'

/** The names of a request's query parameters, and those that its interface reads. */
export interface QueryNames {
  readonly given: readonly string[]
  readonly read: readonly string[]
}

/** In a refusal. */
const NAME_LENGTH_MAX = 100
/** A name with digits, or of any length, might be a card number or a token. */
const LOGGED_NAME = /^[a-z][a-z._-]{0,39}$/i

/**
 * Looks for parameters that nothing reads: a misspelt filter finds too much. The sandbox refuses
 * them, so that they never reach production, where they are counted and logged by name alone. A
 * store with lenient rules is a plugin that its shop cannot change: it is refused nowhere.
 */
export function createQueryCheck(
  deps: Pick<GatewayDeps, 'environment' | 'log' | 'parametersIgnored'>,
) {
  const { environment, log, parametersIgnored } = deps
  const ignored = countByMinute()
  /** @throws ApiError query_parameter_unknown */
  return ({ id: store, rules }: Merchant, { given, read }: QueryNames): void => {
    const unread = given.filter((name) => !read.includes(name))
    if (unread.length === 0) return
    if (environment === 'sandbox' && rules !== 'lenient') throw refusalOf(unread, read)
    parametersIgnored?.(unread.length)
    const requests = ignored.add()
    if (requests === 0) return
    const names = [...new Set(unread.map((name) => (LOGGED_NAME.test(name) ? name : 'other')))]
    log.warn({ store, names, requests }, 'requests have query parameters that nothing reads')
  }
}

function refusalOf(unread: readonly string[], read: readonly string[]): ApiError {
  return new ApiError(
    unread.map((name) => ({
      name: 'query_parameter_unknown',
      property: name.slice(0, NAME_LENGTH_MAX),
      constraint: 'unknown',
      ...(read.length > 0 && { allowed: read }),
    })),
  )
}
