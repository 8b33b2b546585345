import { Secret } from '@cofre/contracts'
import { insertAct, insertActOfPerson } from '../log/acts-log-sql.js'
import { isAuthenticatorCode, stepOfCode } from '../model/authenticator.js'
import { emailOf } from '../model/email.js'
import {
  EMAILS_OF_NETWORK,
  TRIES,
  TRIES_OF_ALL,
  addressKey,
  browserKey,
  countFailure,
  endCount,
  allTriesKey,
  isKnownBrowser,
  networkKeys,
  networkOf,
  rememberBrowser,
  slowedFor,
  uncountFailure,
} from './lockout-sql.js'
import type { Trier } from '../model/password.js'
import type {
  OpenedSession,
  Origin,
  PasskeyUse,
  SignInAttempt,
  SignInResult,
} from '../model/people.js'
import type { PersonRow } from '../model/people-tables.js'
import { hashRecoveryCode } from '../model/recovery-code.js'
import type { RoleScope } from '../model/role.js'
import { openSession } from './session-sql.js'
import { type PeopleDeps, type Unit, inUnit } from '../model/unit.js'

/** The id for an unknown person; no row has it. */
const UNKNOWN_ID = 'nobody'
/** The dummy secret for unknown people, so that a code is always checked. */
const UNKNOWN_SECRET = new Secret('A'.repeat(32))

/**
 * Runs the same statements in the same order for known and unknown people, until the person is
 * proved.
 */
export async function signIn(deps: PeopleDeps, attempt: SignInAttempt): Promise<SignInResult> {
  const { passwords } = deps
  const trier = await trierOf(deps, attempt)
  const { address, visitId } = attempt.from
  const place = passwords.enter(trier === 'known' ? visitId : networkOf(address), trier)
  if (place === undefined) return 'busy'
  try {
    const begun = await beginSignIn(deps, attempt)
    if (begun.waitMs !== undefined) return begun
    const { person, keys } = begun
    const { password } = attempt
    const isPassword = await passwords.matches(password, person?.password ?? undefined, trier)
    const opened = await endSignIn(deps, attempt, {
      keys,
      known: person,
      matched: isPassword && person?.enabled === 1 ? person : undefined,
    })
    return opened ?? 'refused'
  } finally {
    place.leave()
  }
}

/** Determined before a place is taken, so that strangers cannot take places of known people. */
async function trierOf({ database }: PeopleDeps, { email, from }: SignInAttempt): Promise<Trier> {
  const { reader } = database
  const person = await reader
    .selectFrom('people')
    .select('id')
    .where('email', '=', emailOf(email) ?? '')
    .executeTakeFirst()
  const isKnown = await isKnownBrowser(reader, person?.id ?? UNKNOWN_ID, from.visitId)
  return isKnown || from.isOfNamedNetwork === true ? 'known' : 'stranger'
}

type BegunSignIn =
  | { readonly waitMs: number }
  | {
      readonly waitMs?: undefined
      readonly person: PersonRow | undefined
      readonly keys: CountKeys
    }

interface CountKeys {
  readonly own: string
  /** Undefined for a browser that the person knows. */
  readonly allTries: string | undefined
  /** The count of a network's different e-mails, if this is a new one. */
  readonly emails: string | undefined
  /** True if unknown browsers must wait after this failure. */
  readonly isLast: boolean
}

async function beginSignIn(deps: PeopleDeps, { email, from }: SignInAttempt): Promise<BegunSignIn> {
  const typed = emailOf(email) ?? ''
  return await inUnit(deps, async ({ trx, nowMs }) => {
    const person = await trx
      .selectFrom('people')
      .selectAll()
      .where('email', '=', typed)
      .executeTakeFirst()
    const isKnown = await isKnownBrowser(trx, person?.id ?? UNKNOWN_ID, from.visitId)
    const own = isKnown
      ? browserKey(person?.id ?? UNKNOWN_ID, from.visitId)
      : addressKey(typed, from.address)
    const allTries = allTriesKey(typed)
    const isStranger = !isKnown && from.isOfNamedNetwork !== true
    const { emails, slowed } = networkKeys(from.address, 'sign-in')
    const slowedMs = await slowedFor(trx, { emails, slowed, isStranger }, nowMs)
    if (slowedMs > 0) return { waitMs: slowedMs }
    const counted = await countFailure(trx, { key: own, limit: TRIES }, nowMs)
    const adds = isStranger && counted.waitMs === 0
    const ofAll = await countFailure(trx, { key: allTries, limit: TRIES_OF_ALL, adds }, nowMs)
    const waitMs = Math.max(counted.waitMs, isStranger ? ofAll.waitMs : 0)
    if (waitMs > 0) return { waitMs }
    const isOther = isStranger && counted.failures === 1
    const other = { key: emails, limit: EMAILS_OF_NETWORK, adds: isOther }
    await countFailure(trx, other, nowMs)
    const isLast = adds && ofAll.failures === TRIES_OF_ALL.failuresMax
    const keys: CountKeys = {
      own,
      allTries: isStranger ? allTries : undefined,
      emails: isOther ? emails : undefined,
      isLast,
    }
    return { person, keys }
  })
}

interface CheckedPassword {
  readonly keys: CountKeys
  /** The person with the e-mail. */
  readonly known: PersonRow | undefined
  /** The same person, if the password is right and the person may sign in. */
  readonly matched: PersonRow | undefined
}

async function endSignIn(
  deps: PeopleDeps,
  { code, from }: SignInAttempt,
  { keys, known, matched }: CheckedPassword,
): Promise<OpenedSession | undefined> {
  return await inUnit(deps, async (unit) => {
    if (!(await useCode(unit, matched, code))) {
      const person = { id: known?.id ?? UNKNOWN_ID, isKnown: known !== undefined }
      await insertActOfPerson(unit, person, {
        ...OWN_ACT,
        ...originOf(from),
        action: 'sign-in-failed',
        outcome: 'refused',
        detail: keys.isLast ? { unknownBrowsersWait: true } : {},
      })
      return undefined
    }
    const { id } = matched ?? { id: UNKNOWN_ID }
    await endCount(unit.trx, keys.own)
    for (const key of [keys.allTries, keys.emails])
      if (key !== undefined) await uncountFailure(unit.trx, key)
    const by = isAuthenticatorCode(code.reveal()) ? 'password' : 'recovery-code'
    return await enter(unit, { id, by }, from)
  })
}

/** People's own acts belong to no store. */
export const OWN_ACT = { environment: 'production' } as const

/** The place in the log for acts on people of a scope. */
export function actIn(scope: RoleScope) {
  return scope === 'sandbox' ? ({ environment: 'sandbox' } as const) : OWN_ACT
}

/** The part of an origin that the log keeps: never the visit's id. */
export function originOf({ address, browser }: Origin) {
  return { address, browser }
}

type SignInWay = 'password' | 'recovery-code' | 'passkey' | 'link'

/** Opens a session for a person with proved identity, and remembers the browser. */
export async function enter(
  unit: Unit,
  { id, by }: { readonly id: string; readonly by: SignInWay },
  from: Origin,
): Promise<OpenedSession> {
  const opened = await openSession(unit, id, from)
  await rememberBrowser(unit, id, from.visitId)
  await insertAct(unit, {
    ...OWN_ACT,
    ...originOf(from),
    actor: `person:${id}`,
    action: 'signed-in',
    outcome: 'done',
    detail: { by },
  })
  return opened
}

/**
 * Consumes a code of the authenticator or a recovery code of an enabled person, once, in any
 * process, and only while the password is unchanged since it was read. For an unknown person, the
 * same statements consume nothing.
 */
export async function useCode(
  { trx, sealing, nowMs }: Unit,
  person: PersonRow | undefined,
  code: Secret<string>,
): Promise<boolean> {
  const isOfAuthenticator = isAuthenticatorCode(code.reveal())
  const totp = person?.totp ?? undefined
  const secret =
    person === undefined || totp === undefined ? UNKNOWN_SECRET : sealing.unwrap(person.id, totp)
  const step = isOfAuthenticator ? stepOfCode(secret, code, nowMs) : undefined
  const isCode = !isOfAuthenticator || (totp !== undefined && step !== undefined)
  const id = isCode && person !== undefined ? person.id : UNKNOWN_ID
  const { numUpdatedRows } = await trx
    .updateTable('people')
    .set((set) => ({ totp_step: step ?? set.ref('totp_step') }))
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where('credentials_at', '=', person?.credentials_at ?? 0)
    .where((of) =>
      of.or([of('totp_step', 'is', null), of('totp_step', '<', step ?? Number.MAX_SAFE_INTEGER)]),
    )
    .executeTakeFirst()
  const isFresh = Number(numUpdatedRows) > 0
  const used = await trx
    .updateTable('recovery_codes')
    .set({ used_at: nowMs })
    .where('person_id', '=', isFresh && !isOfAuthenticator ? id : UNKNOWN_ID)
    .where('code_hash', '=', hashRecoveryCode(id, code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return isOfAuthenticator ? isFresh : Number(used.numUpdatedRows) > 0
}

/** Signs in an enabled person, after the answer was verified. */
export async function signInWithPasskey(
  deps: PeopleDeps,
  use: PasskeyUse,
  from: Origin,
): Promise<OpenedSession | 'refused'> {
  return await inUnit(deps, async (unit) => {
    const id = await usePasskey(unit, use)
    if (id === undefined) return 'refused'
    return await enter(unit, { id, by: 'passkey' }, from)
  })
}

/**
 * Records the use of an enabled person's passkey. Undefined if there is none, or if its counter was
 * seen before: then a copy of the passkey exists.
 */
export async function usePasskey(
  { trx, nowMs }: Unit,
  { passkeyId, counter, backedUp }: PasskeyUse,
  personId?: string,
): Promise<string | undefined> {
  // A concurrent disabling of the person waits, and then ends the session that this opens.
  const owner = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', (of) =>
      of.selectFrom('passkeys').select('person_id').where('passkeys.id', '=', passkeyId),
    )
    .where('enabled', '=', 1)
    .forUpdate()
    .executeTakeFirst()
  if (owner === undefined) return undefined
  if (personId !== undefined && personId !== owner.id) return undefined
  const row = await trx
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp ? 1 : 0, used_at: nowMs })
    .where('id', '=', passkeyId)
    // A passkey without a counter always reports zero.
    .where('counter', counter === 0 ? '=' : '<', counter)
    .where('person_id', '=', owner.id)
    .returning('person_id')
    .executeTakeFirst()
  return row?.person_id
}
