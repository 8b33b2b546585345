import { type Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { By, IssuedLink, StaffSession, UsedLink } from '../model/people.js'
import {
  FROM,
  OPERATOR,
  PASSWORD,
  TOTP_SECRET,
  type TestPeople,
  addStore,
  openTestPeople,
  setEnabled,
  used,
} from '../people.fixture.js'
import type { Role } from '../model/role.js'

function made(link: IssuedLink | string | undefined): Secret<string> {
  if (link === undefined || typeof link === 'string') throw new Error(`no link: ${String(link)}`)
  return link.token
}

for (const engine of TEST_ENGINES) {
  describe(`who may make a link, on ${engine.name}`, () => {
    let test: TestPeople
    let store = ''
    let stores = 0
    let ana: UsedLink
    let bia: UsedLink
    beforeAll(async () => {
      test = await openTestPeople(engine)
    })
    afterAll(() => test.database.close())
    beforeEach(async () => {
      store = `store-${String(++stores)}`
      await addStore(test.database, store)
      ana = await test.join(store, emailOf('ana'), 'owner')
      bia = await test.join(store, emailOf('bia'), 'owner')
    })

    const emailOf = (name: string) => `${name}@${store}.example`
    const memberOf = ({ personId }: UsedLink) => ({ storeId: store, personId })
    const by = ({ personId }: UsedLink): By => ({ ...OPERATOR, actor: `person:${personId}` })
    const invite = async (name: string, role: Role, who: By) =>
      made(await test.people.links.invite({ storeId: store, email: emailOf(name), role }, who))
    const isOpen = async (token: Secret<string>) =>
      (await test.people.links.view(token)) !== undefined
    const newPerson = () => ({
      kind: 'new-person' as const,
      name: 'New',
      credentials: { password: PASSWORD, totp: TOTP_SECRET, code: test.nextCode() },
    })
    const sessionOf = async (link: UsedLink): Promise<StaffSession> => {
      const session = await test.sessionOf(link.sessionId)
      if (session === undefined) throw new Error('no session')
      return session
    }
    const rolesOf = async () => {
      const members = await test.people.staff.members(store)
      return Object.fromEntries(
        members.map(({ email, role }) => [email.split('@', 1).join(''), role]),
      )
    }

    it.each<[string, () => Promise<unknown>]>([
      ['taken out', () => test.people.staff.remove(memberOf(ana), OPERATOR)],
      ['demoted', () => test.people.staff.setRole(memberOf(ana), 'support', by(bia))],
      ['disabled', () => test.people.staff.disable(emailOf('ana'), OPERATOR)],
    ])('ends with an owner who is %s, and never works again', async (_, end) => {
      const toNobody = await invite('new', 'owner', by(ana))
      const toItself = await invite('ana', 'owner', by(ana))
      expect(await isOpen(toNobody)).toBe(true)
      expect(await end()).toBe('done')

      expect(await isOpen(toNobody)).toBe(false)
      expect(await test.people.links.use(toNobody, newPerson(), FROM)).toBe('gone')
      expect(await isOpen(toItself)).toBe(false)
      expect(await test.people.links.open(store)).toEqual([])
      await test.people.staff.enable(emailOf('ana'), OPERATOR)
      await test.people.staff.setRole(memberOf(ana), 'owner', OPERATOR)
      expect(await isOpen(toNobody)).toBe(false)
    })

    it('is not asked of links that an operator or another owner made', async () => {
      const byOperator = await invite('one', 'support', OPERATOR)
      const byBia = await invite('two', 'support', by(bia))
      await test.people.staff.remove(memberOf(ana), by(bia))

      expect(await isOpen(byOperator)).toBe(true)
      used(await test.people.links.use(byBia, newPerson(), FROM))
      expect(await rolesOf()).toEqual({ bia: 'owner', two: 'support' })
    })

    it('is judged when the link is used, not when something is removed', async () => {
      const token = await invite('new', 'owner', by(ana))
      await test.database.transact((trx) =>
        trx
          .updateTable('memberships')
          .set({ role: 'finance' })
          .where('person_id', '=', ana.personId)
          .execute(),
      )
      expect(await test.people.links.use(token, newPerson(), FROM)).toBe('gone')
      expect(await test.people.links.open(store)).toEqual([])
    })

    it('holds nothing of a store that is disabled', async () => {
      const token = await invite('new', 'owner', by(ana))
      await setEnabled(test.database, store, false)
      expect(await isOpen(token)).toBe(false)
      await setEnabled(test.database, store, true)
      expect(await isOpen(token)).toBe(true)
    })

    it('loses to a removal at the same moment', async () => {
      const session = await sessionOf(ana)
      const token = await invite('ana', 'owner', by(ana))
      await Promise.all([
        test.people.staff.remove(memberOf(ana), by(bia)),
        test.people.links.use(token, { kind: 'signed-in', session }, FROM),
      ])
      expect(await rolesOf()).toEqual({ bia: 'owner' })
    })

    it.each<[string, Role | undefined]>([
      ['taken out', undefined],
      ['given another role', 'developer'],
    ])('ends an invitation of a member who is %s', async (_, role) => {
      const cris = await test.join(store, emailOf('cris'), 'support')
      const session = await sessionOf(cris)
      const token = await invite('cris', 'owner', by(bia))
      const { staff } = test.people
      if (role === undefined) await staff.remove(memberOf(cris), by(bia))
      else await staff.setRole(memberOf(cris), role, by(bia))

      expect(await test.people.links.use(token, { kind: 'signed-in', session }, FROM)).toBe('gone')
    })

    it('accepts nothing by a session that has ended meanwhile', async () => {
      const cris = await test.join(store, emailOf('cris'), 'support')
      const session = await sessionOf(cris)
      const token = await invite('cris', 'finance', by(bia))
      await test.people.signOut(session)

      expect(await test.people.links.use(token, { kind: 'signed-in', session }, FROM)).toBe('gone')
      expect(await isOpen(token)).toBe(true)
    })

    it('ends links to new credentials with the person who is disabled', async () => {
      const reset = made(await test.people.links.reset(emailOf('ana'), OPERATOR))
      const letter = made(await test.people.links.forgotten(emailOf('ana'), FROM))
      await test.people.staff.disable(emailOf('ana'), OPERATOR)
      await test.people.staff.enable(emailOf('ana'), OPERATOR)

      expect(await isOpen(reset)).toBe(false)
      expect(await isOpen(letter)).toBe(false)
    })

    it('ends what an owner made whose credentials are replaced', async () => {
      const token = await invite('new', 'owner', by(ana))
      const reset = made(await test.people.links.reset(emailOf('ana'), OPERATOR))
      const { credentials } = newPerson()
      used(await test.people.links.use(reset, { kind: 'reset', credentials }, FROM))

      expect(await isOpen(token)).toBe(false)
    })

    it('ends what an owner made whose forgotten password is replaced', async () => {
      const token = await invite('new', 'owner', by(ana))
      const letter = made(await test.people.links.forgotten(emailOf('ana'), FROM))
      const claim = { kind: 'password', password: PASSWORD, code: test.nextCode() } as const
      used(await test.people.links.use(letter, claim, FROM))

      expect(await isOpen(token)).toBe(false)
    })

    it('ends the link for the first owner once the store has one', async () => {
      store = `${store}-new`
      await addStore(test.database, store)
      const first = made(await test.people.links.forFirstOwner(store, OPERATOR))
      expect(await isOpen(first)).toBe(true)
      await test.join(store, emailOf('dora'), 'owner')

      expect(await isOpen(first)).toBe(false)
      const claim = { ...newPerson(), email: emailOf('eva') }
      expect(await test.people.links.use(first, claim, FROM)).toBe('gone')
      expect(await test.people.links.open(store)).toEqual([])
    })

    it('is asked again where a person is changed: an owner may have been one', async () => {
      const cris = await test.join(store, emailOf('cris'), 'support')
      await test.people.staff.remove(memberOf(ana), by(bia))
      const invitation = { storeId: store, email: emailOf('new'), role: 'owner' } as const

      expect(await test.people.links.invite(invitation, by(ana))).toBe('not-allowed')
      expect(await test.people.staff.setRole(memberOf(cris), 'owner', by(ana))).toBe('not-allowed')
      expect(await test.people.staff.remove(memberOf(bia), by(cris))).toBe('not-allowed')
      expect(await rolesOf()).toEqual({ bia: 'owner', cris: 'support' })
    })

    it('forgets the browsers of a person who is disabled', async () => {
      const known = () =>
        test.database.reader
          .selectFrom('known_browsers')
          .select('visit_hash')
          .where('person_id', '=', ana.personId)
          .execute()
      expect(await known()).toHaveLength(1)
      await test.people.staff.disable(emailOf('ana'), OPERATOR)
      expect(await known()).toEqual([])
    })
  })
}
