import { ApiError, type Environment, type Log, maskCardNumbers, shownValue } from '@cofre/contracts'
import { countByMinute } from '@cofre/work'
import type { Merchant } from '../model/merchant/merchant.js'

/** The names of a request's query parameters, and those that its interface reads. */
export interface QueryNames {
  readonly given: readonly string[]
  readonly read: readonly string[]
}

/** The longest name in a refusal. */
const NAME_LENGTH_MAX = 100
/** A name with digits, or of any length, might be a card number or a token. */
const LOGGED_NAME = /^[a-z][a-z._-]{0,39}$/i

/** Further names of a store share one name in the log. */
const LOGGED_NAMES_MAX = 20
const OTHER = 'other'

/**
 * True if unread input is refused: in the sandbox, so that it never reaches production. A store
 * with lenient rules is a plugin that its shop cannot change: nothing is refused.
 */
export function refusesUnread(
  environment: Environment,
  { rules }: Pick<Merchant, 'rules'>,
): boolean {
  return environment === 'sandbox' && rules !== 'lenient'
}

export interface QueryParameterDeps {
  readonly environment: Environment
  readonly log: Log
  readonly parametersIgnored?: ((count: number) => void) | undefined
}

/**
 * Finds parameters that the interface does not read: a misspelt filter finds too much. Those that
 * are not refused are counted, and logged only by name, once a minute for each name of a store.
 */
export function createQueryCheck(deps: QueryParameterDeps) {
  const { environment, log, parametersIgnored } = deps
  const ignored = new Map<string, Map<string, ReturnType<typeof countByMinute>>>()
  const logIgnored = (store: string, name: string): void => {
    const names = ignored.get(store) ?? new Map<string, ReturnType<typeof countByMinute>>()
    const isLogged = LOGGED_NAME.test(name) && (names.has(name) || names.size < LOGGED_NAMES_MAX)
    const parameter = isLogged ? name : OTHER
    const counted = names.get(parameter) ?? countByMinute()
    ignored.set(store, names.set(parameter, counted))
    const requests = counted.add()
    if (requests === 0) return
    log.warn({ store, parameter, requests }, 'requests have a query parameter that nothing reads')
  }
  /** @throws ApiError query_parameter_unknown */
  return (merchant: Merchant, { given, read }: QueryNames): void => {
    const unread = given.filter((name) => !read.includes(name))
    if (unread.length === 0) return
    if (refusesUnread(environment, merchant)) throw refusalOf(unread, read)
    parametersIgnored?.(unread.length)
    for (const name of unread) logIgnored(merchant.id, name)
  }
}

/** The refusal of parameters that an interface does not read; undefined without any. */
export function unreadParameters({ given, read }: QueryNames): ApiError | undefined {
  const unread = given.filter((name) => !read.includes(name))
  return unread.length === 0 ? undefined : refusalOf(unread, read)
}

function refusalOf(unread: readonly string[], read: readonly string[]): ApiError {
  return new ApiError(
    unread.map((name) => ({
      name: 'query_parameter_unknown',
      property: maskCardNumbers(name).slice(0, NAME_LENGTH_MAX),
      constraint: 'unknown',
      named: { parameter: shownValue(name) ?? '…' },
      ...(read.length > 0 ? { allowed: read } : { cause: 'none' }),
    })),
  )
}
