import { type Environment, HOUR_MS, MINUTE_MS, Secret } from '@cofre/contracts'
import {
  type Act,
  type ActDetail,
  type ChallengeFor,
  type Member,
  type OpenLink,
  type Passkey,
  ROLES,
  type Role,
  type RoleScope,
  type StaffSession,
  hashSessionId,
} from '@cofre/people'
import { type Developer, type OpenPanel, openPanelOver, sandboxGateway } from './developer.js'
import type { RoomPages } from '../frame/console-page.js'
import type { ConsolePeople, PanelDeps } from '../visit/panel-parts.js'
import { someOf } from './list-pages.js'
import { memoryStoreSessions } from './store-sessions.js'
import { type FakeSandbox, NOW_MS, STORE_ID, createFakeSandbox } from './sandbox.js'

export const API_URL = 'https://api.example'
/** The valid code of a person's authenticator. */
export const CODE = '123456'
export const PASSWORD = 'a long passw0rd'
/** A wrong code that ends the session, as one too many. */
export const LAST_WRONG_CODE = '999999'

export interface FakePeople {
  readonly people: ConsolePeople
  /** The log of acts, one line per entry. */
  readonly acts: string[]
  readonly openLinks: OpenLink[]
  /** Opens a session and returns its id. */
  readonly open: (role: Role, storeIds: readonly string[], scope?: RoleScope) => string
}

/** A console with both environments and two stores. */
export interface OpenConsole extends OpenPanel, Omit<FakePeople, 'open'> {
  readonly production: FakeSandbox
  /** A browser of a person with this role, by default in the first store. */
  newPerson(role: Role, storeIds?: readonly string[], scope?: RoleScope): Developer
}

export function openConsole(
  extra: Partial<PanelDeps> = {},
  pagesOfRooms: readonly RoomPages[] = [],
): OpenConsole {
  const fakes = { production: createFakeSandbox(), sandbox: createFakeSandbox() }
  return openConsoleOver(fakes, extra, pagesOfRooms)
}

/** A console over environments with more content. */
export function openConsoleOver<Fake extends FakeSandbox>(
  { production, sandbox }: Readonly<Record<Environment, Fake>>,
  extra: Partial<PanelDeps>,
  pagesOfRooms: readonly RoomPages[],
): OpenConsole & Fake & { readonly production: Fake } {
  const { open, ...staff } = createFakePeople()
  const environments = {
    production: { ...production, clock: production.sandbox.clock, apiUrl: API_URL },
    sandbox: sandboxGateway(sandbox, memoryStoreSessions(new Map(), { nowMs: NOW_MS })),
  }
  const deps = { environments, people: staff.people, ...extra }
  const panel = openPanelOver(sandbox, deps, pagesOfRooms)
  return {
    ...panel,
    ...staff,
    production,
    newPerson(role, storeIds = [STORE_ID], scope = 'both') {
      const person = panel.newDeveloper({ 'Accept-Language': 'en' })
      person.cookies.set('__Host-cofre_person', open(role, storeIds, scope))
      return person
    },
  }
}

interface FakeSession {
  readonly session: StaffSession
  readonly role: Role
  readonly storeIds: readonly string[]
  readonly scope: RoleScope
}

export function createFakePeople(): FakePeople {
  const acts: string[] = []
  const logged: Act[] = []
  const openLinks: OpenLink[] = []
  const sessions = new Map<string, FakeSession>()
  let opened = 0
  let misses = 0
  const keep = (
    held: Omit<FakeSession, 'session'> & Partial<Pick<FakeSession, 'session'>>,
    steppedUpUntilMs: number,
  ): string => {
    opened += 1
    const id = String(opened).padStart(43, 'x')
    const idHash = hashSessionId(id)
    const firstIdHash = held.session?.firstIdHash ?? idHash
    const session = { ...sessionOf(held.role), idHash, firstIdHash, steppedUpUntilMs }
    sessions.set(session.idHash, { ...held, session })
    return id
  }
  const passkeys = new Map<string, Passkey>()
  const challenges = new Map<string, ChallengeFor>()
  let made = 0
  const usePasskey = (id: string, counter: number): Passkey | undefined => {
    const held = passkeys.get(id)
    if (held === undefined || counter < held.counter) return undefined
    passkeys.set(id, { ...held, counter })
    return held
  }
  const renew = (session: StaffSession, change: string) => {
    const held = sessions.get(session.idHash)
    if (held === undefined) return 'ended'
    sessions.clear()
    acts.push(`${session.personId} ${change}`)
    const sessionId = keep(held, held.session.steppedUpUntilMs)
    return { sessionId, personId: session.personId }
  }
  const membersOf = (storeId: string, scope: RoleScope = 'both'): readonly Member[] =>
    [...sessions.values()]
      .filter((held) => held.scope === scope && held.storeIds.includes(storeId))
      .map(({ role, session: { personId, name, email } }) => ({
        id: personId,
        name,
        email,
        role,
        enabled: true,
        isEmailProved: true,
        hasPassword: true,
        passkeys: 0,
        createdAtMs: NOW_MS,
        joinedAtMs: NOW_MS,
        lastSeenAtMs: NOW_MS,
        isGuessedAt: false,
      }))
  const people: ConsolePeople = {
    find(idHash, storeId = '') {
      const held = sessions.get(idHash)
      if (held === undefined) return Promise.resolve(undefined)
      const { role, scope, session, storeIds } = held
      const { name, personId, steppedUpUntilMs } = session
      const access = { kind: 'person', personId, name, role, scope, steppedUpUntilMs } as const
      return Promise.resolve({ session, access: storeIds.includes(storeId) ? access : undefined })
    },
    async accessOf({ firstIdHash }, storeId) {
      const held = [...sessions.values()].find(({ session }) => session.firstIdHash === firstIdHash)
      return held && (await people.find(held.session.idHash, storeId))?.access
    },
    signIn({ email, password, code }) {
      const role = ROLES.find((known) => email === `${known}@example.com`)
      const isRight = password.reveal() === PASSWORD && code.reveal() === CODE
      if (role === undefined || !isRight) return Promise.resolve('refused')
      const sessionId = keep({ role, storeIds: [STORE_ID], scope: 'both' }, 0)
      return Promise.resolve({ sessionId, personId: `per_${role}` })
    },
    links: {
      invite: ({ email, role, scope = 'both', storeId }, { actor }) => {
        if (!email.includes('@')) return Promise.resolve('bad-email')
        acts.push(`${environmentText(scope)} ${storeId} ${actor} link-made ${email} ${role}`)
        const token = new Secret('t'.repeat(43))
        return Promise.resolve({ token, expiresAtMs: NOW_MS + 24 * HOUR_MS })
      },
      open: (_, scope) => Promise.resolve(scope === 'sandbox' ? [] : openLinks),
      end: (storeId, id, { actor }) => {
        acts.push(`- ${storeId} ${actor} link-ended ${id}`)
        return Promise.resolve('done')
      },
      forgotten: () => Promise.resolve(undefined),
      view: () => Promise.resolve(undefined),
      use: () => Promise.resolve('gone'),
    },
    signOut(session) {
      sessions.delete(session.idHash)
      return Promise.resolve()
    },
    stepUp(session, proof) {
      const held = sessions.get(session.idHash)
      const code = 'code' in proof ? proof.code.reveal() : ''
      const passkey =
        'passkey' in proof ? usePasskey(proof.passkey.passkeyId, proof.passkey.counter) : undefined
      const isProved = code === CODE || passkey?.personId === session.personId
      if (held === undefined || code === LAST_WRONG_CODE) {
        sessions.delete(session.idHash)
        return Promise.resolve('ended')
      }
      if (!isProved) return Promise.resolve('refused')
      sessions.delete(session.idHash)
      const sessionId = keep(held, NOW_MS + 5 * MINUTE_MS)
      return Promise.resolve({ sessionId, personId: session.personId })
    },
    challenges: {
      create(bound) {
        made += 1
        const challenge = Buffer.from(String(made).padStart(32, 'c')).toString('base64url')
        challenges.set(challenge, bound)
        return Promise.resolve(challenge)
      },
      consume(challenge, { purpose, visitId, personId }) {
        const bound = challenges.get(challenge)
        const isRight =
          bound?.purpose === purpose && bound.visitId === visitId && bound.personId === personId
        if (isRight) challenges.delete(challenge)
        return Promise.resolve(isRight)
      },
    },
    signInWithPasskey({ passkeyId, counter }) {
      const held = usePasskey(passkeyId, counter)
      const role = ROLES.find((known) => held?.personId === `per_${known}`)
      if (role === undefined) return Promise.resolve('refused')
      const sessionId = keep({ role, storeIds: [STORE_ID], scope: 'both' }, 0)
      return Promise.resolve({ sessionId, personId: `per_${role}` })
    },
    own: {
      passkeys: (personId) =>
        Promise.resolve([...passkeys.values()].filter((held) => held.personId === personId)),
      findPasskey: (id) => Promise.resolve(passkeys.get(id)),
      addPasskey({ personId }, passkey) {
        if (passkeys.has(passkey.id)) return Promise.resolve('passkey-taken')
        passkeys.set(passkey.id, { ...passkey, personId, createdAtMs: NOW_MS })
        acts.push(`${personId} passkey-added ${passkey.label}`)
        return Promise.resolve('done')
      },
      removePasskey({ personId }, id) {
        if (passkeys.get(id)?.personId !== personId) return Promise.resolve('not-found')
        passkeys.delete(id)
        return Promise.resolve('done')
      },
      hasPassword: () => Promise.resolve(true),
      recoveryCodesLeft: () => Promise.resolve(9),
      sessions: (personId) =>
        Promise.resolve(
          [...sessions.values()]
            .map(({ session }) => session)
            .filter((session) => session.personId === personId),
        ),
      setName(session, name) {
        const held = sessions.get(session.idHash)
        if (held !== undefined)
          sessions.set(session.idHash, { ...held, session: { ...held.session, name } })
        return Promise.resolve()
      },
      setPassword(session, password) {
        if (password.reveal().length < 12) return Promise.resolve('weak-password')
        return Promise.resolve(renew(session, `password ${password.reveal()}`))
      },
      setTotp(session, { secret, code }) {
        if (code.reveal() !== CODE) return Promise.resolve('wrong-code')
        return Promise.resolve(renew(session, `totp ${secret.reveal()}`))
      },
      newRecoveryCodes(session) {
        acts.push(`${session.personId} recovery-codes-made`)
        return Promise.resolve([new Secret('aaaa-bbbb'), new Secret('cccc-dddd')])
      },
      endOtherSessions(session) {
        for (const idHash of sessions.keys()) if (idHash !== session.idHash) sessions.delete(idHash)
        return Promise.resolve()
      },
    },
    acts: {
      record(act) {
        const { action, actor, address, detail, environment, outcome, storeId, target = '-' } = act
        const where = `${environment} ${storeId ?? '-'}`
        const what = `${where} ${actor} ${action} ${target} ${outcome} from ${address}`
        acts.push(`${what}${textOfDetail(detail)}`)
        const actorName = actor.replace('person:per_', 'The ')
        const actorEmail = actor.replace('person:per_', '').concat('@example.com')
        const kept = { atMs: NOW_MS, detail: detail ?? {}, actorName, actorEmail }
        logged.push({ ...act, id: acts.length, ...kept })
        return Promise.resolve(acts.length)
      },
      end(id, outcome, detail) {
        acts.push(`${id} ${outcome}${textOfDetail(detail)}`)
        const act = logged.find((one) => one.id === id)
        if (act !== undefined) logged[logged.indexOf(act)] = { ...act, outcome }
        return Promise.resolve()
      },
      drawnSecrets: (personId) =>
        Promise.resolve(
          logged.flatMap(({ action, actor, atMs, environment, outcome, storeId = '' }) =>
            action === 'store:secret' && outcome === 'done' && actor === `person:${personId}`
              ? [{ storeId, environment, atMs }]
              : [],
          ),
        ),
      list(storeId, { action, actor, ...query }) {
        const found = logged
          .filter((act) => act.storeId === storeId)
          .filter((act) => action === undefined || act.action === action)
          .filter((act) => actor === undefined || act.actor === actor)
        return Promise.resolve(someOf(found.toReversed(), query))
      },
      of: (storeId, target) =>
        Promise.resolve(logged.filter((act) => act.storeId === storeId && act.target === target)),
    },
    documentSearches: {
      begin(_, document) {
        misses += 1
        return Promise.resolve({ isAllowed: misses <= 5, digest: `digest of ${document.length}` })
      },
      found() {
        misses -= 1
        return Promise.resolve()
      },
    },
    staff: {
      members: (storeId, scope) => Promise.resolve(membersOf(storeId, scope)),
      setRole({ personId, scope = 'both', storeId }, role, { actor }) {
        const member = membersOf(storeId, scope).find(({ id }) => id === personId)
        if (member === undefined) return Promise.resolve('not-found')
        if (member.role === 'owner') return Promise.resolve('last-owner')
        acts.push(`${environmentText(scope)} ${storeId} ${actor} role-changed ${personId} ${role}`)
        return Promise.resolve('done')
      },
      remove({ personId, scope = 'both', storeId }, { actor }) {
        const member = membersOf(storeId, scope).find(({ id }) => id === personId)
        if (member === undefined) return Promise.resolve('not-found')
        if (member.role === 'owner') return Promise.resolve('last-owner')
        acts.push(`${environmentText(scope)} ${storeId} ${actor} taken-out ${personId}`)
        return Promise.resolve('done')
      },
      storesOf(personId) {
        const held = [...sessions.values()].find(({ session }) => session.personId === personId)
        const { role, scope, storeIds } = held ?? NO_STORES
        return Promise.resolve(storeIds.map((storeId) => ({ storeId, role, scope })))
      },
    },
  }
  const open: FakePeople['open'] = (role, storeIds, scope = 'both') =>
    keep({ role, storeIds, scope }, 0)
  return { people, acts, openLinks, open }
}

const NO_STORES = { role: 'support', scope: 'both', storeIds: [] } as const

function environmentText(scope: RoleScope): string {
  return scope === 'sandbox' ? 'sandbox' : '-'
}

function sessionOf(role: Role): Omit<StaffSession, 'idHash' | 'firstIdHash' | 'steppedUpUntilMs'> {
  return {
    personId: `per_${role}`,
    name: `The ${role}`,
    email: `${role}@example.com`,
    createdAtMs: NOW_MS,
    usedAtMs: NOW_MS,
    expiresAtMs: NOW_MS + 60 * MINUTE_MS,
    address: '192.0.2.1',
    browser: '',
  }
}

function textOfDetail(detail: ActDetail = {}): string {
  const parts = Object.entries(detail).map(([name, value]) => `${name}: ${String(value)}`)
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`
}
