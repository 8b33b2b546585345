import type { Secret } from '@cofre/contracts'
import type { ActDetail, PeopleAct } from '../model/act.js'
import { insertAct } from '../log/acts-log-sql.js'
import { stepOfCode } from '../model/authenticator.js'
import { insertPasskey, passkeyOf, replaceRecoveryCodes } from './credentials-sql.js'
import { hashSessionId } from '../model/digest.js'
import { isStrongPassword } from '../model/password.js'
import type { NewPasskey, OpenedSession, OwnCredentials, StaffSession } from '../model/people.js'
import type { PersonRow } from '../model/people-tables.js'
import { endSessionsOf, isLive, renewSession, sessionsOf } from '../sign-in/session-sql.js'
import { OWN_ACT } from '../sign-in/sign-in-sql.js'
import { type Db, type PeopleDeps, type Unit, inUnit } from '../model/unit.js'

const PASSKEYS_MAX = 10

/**
 * A person's changes of their own credentials. The caller ensures that the session has stepped up.
 */
export function createSqlOwnCredentials(deps: PeopleDeps): OwnCredentials {
  const { reader } = deps.database
  return {
    async passkeys(personId) {
      return (await passkeysOf(reader, personId).execute()).map(passkeyOf)
    },

    async findPasskey(id) {
      const all = reader.selectFrom('passkeys').selectAll()
      const row = await all.where('id', '=', id).executeTakeFirst()
      return row && passkeyOf(row)
    },

    addPasskey: (session, passkey) => inUnit(deps, (unit) => addPasskey(unit, session, passkey)),
    removePasskey: (session, id) => inUnit(deps, (unit) => removePasskey(unit, session, id)),
    setPassword: (session, password) => setPassword(deps, session, password),
    setTotp: (session, totp, password) => setTotp(deps, session, { ...totp, password }),

    setName: (session, name) =>
      inUnit(deps, async (unit) => {
        const { name: before } = await lockPerson(unit, session)
        // Recorded first, so that the act has the former name.
        const detail = { nameBefore: before, nameAfter: name }
        await recordOwnAct(unit, session, { action: 'name-changed', detail })
        const people = unit.trx.updateTable('people').set({ name })
        await people.where('id', '=', session.personId).execute()
      }),

    newRecoveryCodes: (session) =>
      inUnit(deps, async (unit) => {
        if ((await lockOwn(unit, session)) === undefined) return 'ended'
        await recordOwnAct(unit, session, { action: 'recovery-codes-made' })
        return await replaceRecoveryCodes(unit.trx, session.personId)
      }),

    async recoveryCodesLeft(personId) {
      const codes = reader.selectFrom('recovery_codes').select('code_hash')
      const unused = codes.where('person_id', '=', personId).where('used_at', 'is', null)
      return (await unused.execute()).length
    },

    async hasPassword(personId) {
      const people = reader.selectFrom('people').select('id').where('id', '=', personId)
      const able = people.where('password', 'is not', null).where('totp', 'is not', null)
      return (await able.executeTakeFirst()) !== undefined
    },

    sessions: (personId) => sessionsOf(deps, personId),

    endOtherSessions: (session) =>
      inUnit(deps, async (unit) => {
        await endSessionsOf(unit.trx, session.personId, session.idHash)
        await recordOwnAct(unit, session, { action: 'sessions-ended' })
      }),
  }
}

function passkeysOf(db: Db, personId: string) {
  const all = db.selectFrom('passkeys').selectAll()
  return all.where('person_id', '=', personId).orderBy('created_at').orderBy('id')
}

async function addPasskey(unit: Unit, session: StaffSession, passkey: NewPasskey) {
  if ((await lockOwn(unit, session)) === undefined) return 'ended'
  const held = await passkeysOf(unit.trx, session.personId).execute()
  if (held.length >= PASSKEYS_MAX) return 'too-many'
  if (!(await insertPasskey(unit, session.personId, passkey))) return 'passkey-taken'
  await recordOwnAct(unit, session, { action: 'passkey-added', detail: { label: passkey.label } })
  return 'done'
}

async function removePasskey(unit: Unit, session: StaffSession, passkeyId: string) {
  const person = await lockOwn(unit, session)
  if (person === undefined) return 'ended'
  const held = await passkeysOf(unit.trx, session.personId).execute()
  const removed = held.find(({ id }) => id === passkeyId)
  if (removed === undefined) return 'not-found'
  const hasPassword = person.password !== null && person.totp !== null
  if (held.length === 1 && !hasPassword) return 'last-one'
  await unit.trx.deleteFrom('passkeys').where('id', '=', passkeyId).execute()
  // The passkey may have been lost with a session that it had opened.
  await endSessionsOf(unit.trx, session.personId, session.idHash)
  await recordOwnAct(unit, session, { action: 'passkey-removed', detail: { label: removed.label } })
  return 'done'
}

/** Serializes changes of a person's credentials. */
async function lockPerson({ trx }: Unit, { personId }: StaffSession): Promise<PersonRow> {
  return await trx
    .selectFrom('people')
    .selectAll()
    .where('id', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Undefined once the session is over: the person's access may have been removed meanwhile. */
async function lockOwn(unit: Unit, session: StaffSession): Promise<PersonRow | undefined> {
  const person = await lockPerson(unit, session)
  return (await isLive(unit, session)) ? person : undefined
}

async function recordOwnAct(
  unit: Unit,
  { personId, address, browser }: StaffSession,
  { action, detail }: { readonly action: PeopleAct; readonly detail?: ActDetail },
): Promise<void> {
  const actor = `person:${personId}` as const
  await insertAct(unit, { ...OWN_ACT, actor, address, browser, action, detail, outcome: 'done' })
}

async function setPassword(deps: PeopleDeps, session: StaffSession, password: Secret<string>) {
  if (!isStrongPassword(password, session.email)) return 'weak-password'
  const hash = await deps.passwords.hash(password)
  return await inUnit(deps, async (unit) => {
    const { totp } = await lockPerson(unit, session)
    if (totp === null) return 'no-totp'
    const change = { change: { password: hash }, action: 'password-changed' } as const
    return await changeCredentials(unit, session, change)
  })
}

interface NewTotp {
  readonly secret: Secret<string>
  readonly code: Secret<string>
  readonly password: Secret<string> | undefined
}

async function setTotp(
  deps: PeopleDeps,
  session: StaffSession,
  { secret, code, password }: NewTotp,
) {
  const step = stepOfCode(secret, code, deps.clock.now())
  if (step === undefined) return 'wrong-code'
  if (password !== undefined && !isStrongPassword(password, session.email)) return 'weak-password'
  const hash = password && (await deps.passwords.hash(password))
  return await inUnit(deps, async (unit) => {
    const person = await lockPerson(unit, session)
    if (person.password === null && hash === undefined) return 'weak-password'
    const totp = { totp: unit.sealing.wrap(session.personId, secret), totp_step: step }
    const wantsPassword = person.password === null || person.totp === null
    const change = { ...totp, ...(wantsPassword && hash !== undefined && { password: hash }) }
    return await changeCredentials(unit, session, { change, action: 'totp-changed' })
  })
}

interface CredentialsChange {
  readonly change: Partial<Pick<PersonRow, 'password' | 'totp' | 'totp_step'>>
  readonly action: PeopleAct
}

/** Ends other sessions, and continues this one under another id. */
async function changeCredentials(
  unit: Unit,
  session: StaffSession,
  { change, action }: CredentialsChange,
): Promise<OpenedSession | 'ended'> {
  const { trx, nowMs } = unit
  const renewed = await renewSession(trx, session, { created_at: nowMs })
  // The session was ended meanwhile, so its holder may not be the person.
  if (renewed === undefined) return 'ended'
  await endSessionsOf(trx, session.personId, hashSessionId(renewed.sessionId))
  await trx
    .updateTable('people')
    .set({ ...change, credentials_at: nowMs })
    .where('id', '=', session.personId)
    .execute()
  await recordOwnAct(unit, session, { action })
  return renewed
}
