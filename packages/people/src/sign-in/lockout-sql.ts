import { isIPv6 } from 'node:net'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { digestOf } from '../model/digest.js'
import type { Db, Unit } from '../model/unit.js'

/** The failures that are allowed before a wait. */
export interface FailureLimit {
  readonly failuresMax: number
  readonly windowMs: number
  /** The failure from which the window is counted. */
  readonly since: 'first' | 'last'
}

/** Limits tries of secrets from one place. */
export const TRIES: FailureLimit = { failuresMax: 5, windowMs: 15 * MINUTE_MS, since: 'last' }
/** Limits all tries of a person's password from browsers that the person has never used. */
export const TRIES_OF_ALL: FailureLimit = { failuresMax: 100, windowMs: DAY_MS, since: 'first' }
/** Limits proofs in one session, or codes for one link. */
export const PROOFS: FailureLimit = { failuresMax: 5, windowMs: DAY_MS, since: 'last' }
/** Limits letters about one e-mail's forgotten password, requested from one place. */
export const LETTERS: FailureLimit = { failuresMax: 3, windowMs: DAY_MS, since: 'first' }
/**
 * Limits such letters, requested from everywhere. Links live longer than this, so a person who must
 * wait has one.
 */
export const LETTERS_OF_ALL: FailureLimit = { failuresMax: 3, windowMs: HOUR_MS, since: 'first' }

/** Limits different e-mails in a network's tries or requests of letters; then it is slowed down. */
export const EMAILS_OF_NETWORK: FailureLimit = {
  failuresMax: 20,
  windowMs: HOUR_MS,
  since: 'first',
}
/** Limits tries from a network that is slowed down. */
export const SLOWED: FailureLimit = { failuresMax: 1, windowMs: MINUTE_MS, since: 'last' }

/** Limits a person's searches by document without a result. */
export const DOCUMENT_MISSES: FailureLimit = { failuresMax: 5, windowMs: DAY_MS, since: 'first' }

/** A count after an attempt. */
export interface Counted {
  /** Zero if the attempt is allowed. */
  readonly waitMs: number
  /** Including this attempt. One more than allowed means any larger number. */
  readonly failures: number
}

/**
 * Counts an attempt as failed before its outcome is known, so that simultaneous ones all count, in
 * every process. An attempt that is not allowed changes nothing.
 * @param adds - False only reads, by the same statement.
 */
export async function countFailure(
  trx: Db,
  {
    key,
    limit,
    adds = true,
  }: { readonly key: string; readonly limit: FailureLimit; readonly adds?: boolean },
  nowMs: number,
): Promise<Counted> {
  const { failuresMax, windowMs, since } = limit
  const one = adds ? 1 : 0
  const start = since === 'first' ? 'sign_in_failures.first_at' : 'sign_in_failures.last_at'
  const row = await trx
    .insertInto('sign_in_failures')
    .values({ key, failures: one, first_at: nowMs, last_at: nowMs })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((set) => {
        const kept = 'sign_in_failures.failures'
        // A time in the future was recorded before the clock was set back.
        const hasExpired = set.or([
          set(start, '<=', nowMs - windowMs),
          set(start, '>', nowMs + windowMs),
        ])
        const isAllowed = set.or([hasExpired, set(kept, '<', failuresMax)])
        return {
          failures: set
            .case()
            .when(hasExpired)
            .then(set.ref('excluded.failures'))
            .when(kept, '>', failuresMax)
            .then(set.ref(kept))
            .else(set(kept, '+', one))
            .end(),
          first_at: set
            .case()
            .when(hasExpired)
            .then(set.ref('excluded.first_at'))
            .else(set.ref('sign_in_failures.first_at'))
            .end(),
          last_at: set
            .case()
            .when(isAllowed)
            .then(set.ref('excluded.last_at'))
            .else(set.ref('sign_in_failures.last_at'))
            .end(),
        }
      }),
    )
    .returning(['failures', 'first_at', 'last_at'])
    .executeTakeFirstOrThrow()
  const { failures } = row
  if (failures <= failuresMax) return { waitMs: 0, failures }
  const from = since === 'first' ? row.first_at : row.last_at
  return { waitMs: Math.max(from + windowMs - nowMs, 1), failures }
}

/** The wait for strangers of a network: zero until the network has tried too many e-mails. */
export async function slowedFor(
  trx: Db,
  {
    emails,
    slowed,
    isStranger,
  }: { readonly emails: string; readonly slowed: string; readonly isStranger: boolean },
  nowMs: number,
): Promise<number> {
  const looked = { key: emails, limit: EMAILS_OF_NETWORK, adds: false }
  const tooMany = await countFailure(trx, looked, nowMs)
  const adds = isStranger && tooMany.waitMs > 0
  const { waitMs } = await countFailure(trx, { key: slowed, limit: SLOWED, adds }, nowMs)
  return adds ? waitMs : 0
}

/** Removes a successful attempt from the failures. */
export async function uncountFailure(trx: Db, key: string): Promise<void> {
  await trx
    .updateTable('sign_in_failures')
    .set((set) => ({ failures: set('failures', '-', 1) }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute()
}

/** Resets a count. */
export async function endCount(trx: Db, key: string): Promise<void> {
  await trx.deleteFrom('sign_in_failures').where('key', '=', key).execute()
}

/** The key of tries under this name from an address. */
export function addressKey(name: string, address: string): string {
  return digestOf(name, 'at', networkOf(address))
}

/** The key of a browser that has signed in for the person or, in the sandbox, for the store. */
export function browserKey(id: string, visitId: string): string {
  return digestOf(id, 'by', visitId)
}

/** The key of all tries of an e-mail's password from unknown browsers. */
export function allTriesKey(email: string): string {
  return digestOf(email, 'all')
}

/** The keys of requests for letters to an e-mail: from one address, and from everywhere. */
export function letterKeys(email: string, address: string) {
  const allTries = digestOf(email, 'forgotten')
  return { own: addressKey(allTries, address), allTries }
}

/**
 * The keys of a network's strangers: the number of e-mails they try or request, and their rate once
 * slowed.
 */
export function networkKeys(address: string, what: 'sign-in' | 'letter') {
  const network = networkOf(address)
  return {
    emails: digestOf(network, 'e-mails', what),
    slowed: digestOf(network, 'slowed', what),
  }
}

/** The longest expansion of `::` in an IPv6 address. */
const ZEROS: readonly string[] = Array.from({ length: 8 }, () => '0')
const NETWORK_GROUPS = 4

/** The address itself or, for IPv6, its /64, within which its owner chooses freely. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [before = [], after = []] = address.split('::').map((part) => part.split(':'))
  const groups = [...before, ...ZEROS.slice(before.length + after.length), ...after]
  const network = groups.slice(0, NETWORK_GROUPS)
  return network.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':')
}

/** True if the person or, in the sandbox, a user of the store has signed in with this browser. */
export async function isKnownBrowser(trx: Db, id: string, visitId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('known_browsers')
    .select('used_at')
    .where('person_id', '=', id)
    .where('visit_hash', '=', digestOf(visitId))
    .executeTakeFirst()
  return row !== undefined
}

export async function rememberBrowser(
  { trx, nowMs }: Pick<Unit, 'trx' | 'nowMs'>,
  id: string,
  visitId: string,
): Promise<void> {
  const row = { person_id: id, visit_hash: digestOf(visitId), used_at: nowMs }
  await trx
    .insertInto('known_browsers')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'visit_hash']).doUpdateSet({ used_at: nowMs }),
    )
    .execute()
}

/** All browsers of the person become unknown. */
export async function forgetBrowsersOf(trx: Db, personId: string): Promise<void> {
  await trx.deleteFrom('known_browsers').where('person_id', '=', personId).execute()
}
