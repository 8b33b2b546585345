import { DAY_MS, HOUR_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES, openTwiceOnPostgres } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  LinkClaim,
  LinkResult,
  IssuedLink,
  NewCredentials,
  UsedLink,
} from '../model/people.js'
import {
  FROM,
  GATEWAY_MIGRATIONS,
  OPERATOR,
  PASSWORD,
  TOTP_SECRET,
  type TestPeople,
  addStore,
  codeAt,
  openTestPeople,
  passkeyNamed,
  testPeople,
  used,
} from '../people.fixture.js'
import type { PeopleTables } from '../model/people-tables.js'

const OTHER_PASSWORD = new Secret('another horse 8')
const WRONG_CODE = new Secret('000000')

function made(link: IssuedLink | string | undefined): Secret<string> {
  if (link === undefined || typeof link === 'string') throw new Error(`no link: ${String(link)}`)
  return link.token
}

for (const engine of TEST_ENGINES) {
  describe(`links, on ${engine.name}`, () => {
    let test: TestPeople
    let store = ''
    let email = ''
    let stores = 0
    beforeAll(async () => {
      test = await openTestPeople(engine)
    })
    afterAll(() => test.database.close())
    beforeEach(async () => {
      store = `store-${String(++stores)}`
      email = `ana${String(stores)}@shop.example`
      await addStore(test.database, store)
    })

    const invite = async (role: 'owner' | 'support' = 'support') =>
      made(await test.people.links.invite({ storeId: store, email, role }, OPERATOR))
    const credentials = (change: object = {}): NewCredentials => ({
      password: PASSWORD,
      totp: TOTP_SECRET,
      code: test.nextCode(),
      ...change,
    })
    const claim = (change: object = {}): LinkClaim => ({
      kind: 'new-person',
      name: 'Ana',
      credentials: credentials(),
      ...change,
    })
    const use = (token: Secret<string>, what = claim()): Promise<LinkResult> =>
      test.people.links.use(token, what, FROM)
    const sessionOf = async (link: UsedLink) => {
      const session = await test.sessionOf(link.sessionId)
      if (session === undefined) throw new Error('no session')
      return session
    }
    const signIn = (password = PASSWORD, code = test.nextCode()) =>
      test.people.signIn({ email, password, code, from: FROM })

    it('make a person, a member and a session, and ten recovery codes', async () => {
      const token = await invite()
      expect(await test.people.links.view(token)).toEqual({
        purpose: 'invite',
        email,
        storeId: store,
        role: 'support',
        expiresAtMs: test.time.nowMs + DAY_MS,
        isForKnownPerson: false,
        mayTakeEmail: false,
      })
      const link = used(await use(token))

      expect(link.recoveryCodes).toHaveLength(10)
      expect(link.storeId).toBe(store)
      expect(await sessionOf(link)).toMatchObject({ email, name: 'Ana' })
      expect(await test.people.staff.members(store)).toMatchObject([
        { id: link.personId, email, role: 'support', hasPassword: true, passkeys: 0 },
      ])
      expect(link.personId).toMatch(/^per_[a-z2-7]{26}$/)
      expect(await signIn()).toHaveProperty('sessionId')
    })

    it('take the code that proved the authenticator for used', async () => {
      const code = test.nextCode()
      await use(await invite(), claim({ credentials: credentials({ code }) }))

      expect(await signIn(PASSWORD, code)).toBe('refused')
    })

    it('work once, for a day, and are kept by their hash alone', async () => {
      const token = await invite()
      const late = made(
        await test.people.links.invite(
          { storeId: store, email: `x${email}`, role: 'support' },
          OPERATOR,
        ),
      )
      const rows = await test.database.reader.selectFrom('console_links').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(token.reveal())
      const results = await Promise.all([use(token), use(token)])

      expect(results.filter((result) => result === 'gone')).toHaveLength(1)
      expect(await test.people.links.view(token)).toBeUndefined()
      test.time.nowMs += DAY_MS
      expect(await test.people.links.view(late)).toBeUndefined()
      expect(await use(late)).toBe('gone')
      expect(await use(new Secret('unknown'))).toBe('gone')
    })

    it.each<[string, object]>([
      ['weak-password', { password: new Secret('short1') }],
      ['wrong-code', { code: WRONG_CODE }],
    ])('stay when the credentials are refused: %s', async (problem, change) => {
      const token = await invite()

      expect(await use(token, claim({ credentials: credentials(change) }))).toBe(problem)
      expect(await test.people.staff.members(store)).toEqual([])
      used(await use(token))
    })

    it('accept an unregistered passkey instead of password and code', async () => {
      const passkey = passkeyNamed(`key of ${email}`)
      const link = used(await use(await invite(), claim({ credentials: { passkey } })))
      expect(await test.people.own.passkeys(link.personId)).toMatchObject([{ id: passkey.id }])
      expect(await signIn()).toBe('refused')

      email = `other-${email}`
      const token = await invite()
      expect(await use(token, claim({ credentials: { passkey } }))).toBe('passkey-taken')
      used(await use(token))
    })

    it('are accepted by a known person only after it has signed in', async () => {
      const { personId, sessionId } = used(await use(await invite()))
      const stranger = await test.join(store, `stranger-${email}`, 'support')
      store = `${store}-second`
      await addStore(test.database, store)
      const token = await invite('owner')

      expect(await test.people.links.view(token)).toMatchObject({ isForKnownPerson: true })
      expect(await use(token)).toBe('known-email')
      const session = await sessionOf(stranger)
      expect(await use(token, { kind: 'signed-in', session })).toBe('other-person')
      const own = await test.sessionOf(sessionId)
      if (own === undefined) throw new Error('no session')
      expect(await use(token, { kind: 'signed-in', session: own })).toEqual({
        personId,
        storeId: store,
        recoveryCodes: [],
      })
      expect(await test.people.staff.members(store)).toMatchObject([
        { id: personId, role: 'owner' },
      ])
    })

    it('admit a person again who was removed from every store', async () => {
      const { personId } = used(await use(await invite()))
      await test.people.staff.remove({ storeId: store, personId }, OPERATOR)
      const token = await invite()
      const opened = await signIn()
      if (typeof opened === 'string' || 'waitMs' in opened) throw new Error('refused')
      const session = await sessionOf({ personId, sessionId: opened.sessionId, recoveryCodes: [] })

      used(await use(token, { kind: 'signed-in', session }))
      expect(await test.people.staff.members(store)).toMatchObject([{ id: personId }])
    })

    it('of an invitation end the one before, and never make less of an owner', async () => {
      const owner = used(await use(await invite('owner')))
      const first = await invite('support')
      const second = await invite('support')
      const session = await sessionOf(owner)

      expect(await use(first, { kind: 'signed-in', session })).toBe('gone')
      expect(await test.people.links.open(store)).toMatchObject([
        { purpose: 'invite', email, role: 'support', actor: 'operator:ana' },
      ])
      used(await use(second, { kind: 'signed-in', session }))
      expect(await test.people.staff.members(store)).toMatchObject([{ role: 'owner' }])
      expect(await test.people.links.open(store)).toEqual([])
    })

    it.each([
      ['no e-mail', 'bad-email', { email: 'ana' }],
      ['what no database keeps', 'bad-email', { email: 'ana\0@shop.example' }],
      ['no store', 'no-store', { storeId: 'unknown' }],
    ])('are not made for %s', async (_, problem, change) => {
      const invitation = { storeId: store, email, role: 'support', ...change } as const
      expect(await test.people.links.invite(invitation, OPERATOR)).toBe(problem)
    })

    describe('for the first owner', () => {
      const first = () => test.people.links.forFirstOwner(store, { ...OPERATOR, actor: 'start' })

      it('ask for the e-mail, and each ends the one before', async () => {
        const old = made(await first())
        const token = made(await first())

        expect(await test.people.links.view(old)).toBeUndefined()
        expect(await test.people.links.view(token)).toMatchObject({
          purpose: 'owner',
          storeId: store,
          isForKnownPerson: false,
        })
        expect(await use(token, claim())).toBe('bad-email')
        used(await use(token, claim({ email: ` ${email.toUpperCase()}` })))
        expect(await test.people.staff.members(store)).toMatchObject([{ email, role: 'owner' }])
        expect(await first()).toBeUndefined()
      })

      it('give the only owner, who has nothing to sign in with, new credentials', async () => {
        const { personId } = used(await use(made(await first()), claim({ email })))
        await test.database.transact((trx) =>
          trx
            .updateTable('people')
            .set({ totp: null, password: null })
            .where('id', '=', personId)
            .execute(),
        )
        const token = made(await first())

        expect(await test.people.links.view(token)).toMatchObject({ purpose: 'reset', email })
        used(await use(token, { kind: 'reset', credentials: credentials() }))
        expect(await signIn()).toHaveProperty('sessionId')
        expect(await first()).toBeUndefined()
      })

      it('make a person an owner who works in no other store any more', async () => {
        const other = `${store}-other`
        await addStore(test.database, other)
        const { sessionId, personId } = await test.join(other, email, 'support')
        await test.people.staff.remove({ storeId: other, personId }, OPERATOR)
        expect(await test.sessionOf(sessionId)).toBeUndefined()
        const token = made(await first())
        const session = await test.sessionOf(sessionId)
        if (session === undefined) throw new Error('no session')

        used(await use(token, { kind: 'signed-in', session }))
        expect(await test.people.staff.members(store)).toMatchObject([{ email, role: 'owner' }])
      })

      it('are made for no unknown store', async () => {
        expect(await test.people.links.forFirstOwner('unknown', OPERATOR)).toBeUndefined()
      })
    })

    describe('for new credentials', () => {
      it('replace all that was there, and end all sessions', async () => {
        const before = used(await use(await invite()))
        await test.people.own.addPasskey(await sessionOf(before), passkeyNamed(`key ${email}`))
        const token = made(await test.people.links.reset(email, OPERATOR))
        const [code] = before.recoveryCodes
        expect(await test.people.links.view(token)).toMatchObject({ purpose: 'reset', email })
        expect(await use(token)).toBe('gone')
        const after = used(
          await use(token, {
            kind: 'reset',
            credentials: credentials({ password: OTHER_PASSWORD }),
          }),
        )

        expect(await test.sessionOf(before.sessionId)).toBeUndefined()
        expect(await test.sessionOf(after.sessionId)).toBeDefined()
        expect(await test.people.own.passkeys(before.personId)).toEqual([])
        expect(await signIn()).toBe('refused')
        expect(await signIn(OTHER_PASSWORD, code)).toBe('refused')
        expect(await signIn(OTHER_PASSWORD)).toHaveProperty('sessionId')
      })

      it('are made for no unknown person, and used by no disabled one', async () => {
        expect(await test.people.links.reset('nobody@shop.example', OPERATOR)).toBeUndefined()
        used(await use(await invite()))
        const token = made(await test.people.links.reset(email, OPERATOR))
        await test.people.staff.disable(email, OPERATOR)

        expect(await use(token, { kind: 'reset', credentials: credentials() })).toBe('gone')
      })
    })

    describe('for a forgotten password', () => {
      const forgotten = () => test.people.links.forgotten(email, FROM)
      const change = (code: Secret<string>, password = OTHER_PASSWORD) =>
        ({ kind: 'password', password, code }) as const

      it('set another password with a code, and end all sessions', async () => {
        const before = used(await use(await invite()))
        const token = made(await forgotten())

        expect(await use(token, change(test.nextCode(), new Secret('weak')))).toBe('weak-password')
        expect(await use(token, change(WRONG_CODE))).toBe('wrong-code')
        const after = used(await use(token, change(test.nextCode())))
        expect(after.recoveryCodes).toEqual([])
        expect(await test.sessionOf(before.sessionId)).toBeUndefined()
        expect(await test.sessionOf(after.sessionId)).toBeDefined()
        expect(await signIn()).toBe('refused')
        expect(await signIn(OTHER_PASSWORD)).toHaveProperty('sessionId')
      })

      it('go to the e-mail that the person has, however it was typed', async () => {
        used(await use(await invite()))
        const typed = ` ${email.toUpperCase()} `
        expect(await test.people.links.forgotten(typed, FROM)).toMatchObject({ email })
      })

      it('are not used up by weak passwords', async () => {
        used(await use(await invite()))
        const token = made(await forgotten())
        const weak = new Secret('weak')
        for (let i = 0; i < 6; i++)
          expect(await use(token, change(WRONG_CODE, weak))).toBe('weak-password')

        expect(await use(token, change(test.nextCode()))).toHaveProperty('sessionId')
      })

      it('are over after five wrong codes', async () => {
        used(await use(await invite()))
        const token = made(await forgotten())
        for (let i = 0; i < 5; i++) expect(await use(token, change(WRONG_CODE))).toBe('wrong-code')

        expect(await use(token, change(test.nextCode()))).toBe('gone')
      })

      it('are made only for people with a password, three times a day at most', async () => {
        expect(await forgotten()).toBeUndefined()
        const passkey = passkeyNamed(`only key of ${email}`)
        used(await use(await invite(), claim({ credentials: { passkey } })))
        expect(await forgotten()).toBeUndefined()
        email = `password-${email}`
        used(await use(await invite()))
        for (let i = 0; i < 3; i++) expect(await forgotten()).toBeDefined()
        expect(await forgotten()).toBeUndefined()
        test.time.nowMs += DAY_MS + HOUR_MS
        expect(await forgotten()).toBeDefined()
      })

      it('cannot be used up by a stranger', async () => {
        used(await use(await invite()))
        const askFrom = (address: string) =>
          test.people.links.forgotten(email, { ...FROM, address, visitId: address })
        const before = made(await forgotten())
        for (let i = 0; i < 9; i++) await askFrom('198.51.100.1')
        // A stranger's request goes to the person, and leaves the existing link valid.
        expect(await test.people.links.view(before)).toBeDefined()
        for (let i = 0; i < 9; i++) await askFrom(`192.0.2.${String(i)}`)
        expect(await forgotten()).toBeUndefined()
        test.time.nowMs += HOUR_MS
        const another = made(await forgotten())
        used(await use(before, change(test.nextCode())))
        expect(await test.people.links.view(another)).toBeUndefined()
        expect(await forgotten()).toBeDefined()
      })
    })
  })
}

describe('two processes on PostgreSQL', () => {
  it('use a link once', async () => {
    const [first, second] = await openTwiceOnPostgres<PeopleTables>(GATEWAY_MIGRATIONS)
    const time = { nowMs: Date.UTC(2026, 10, 23, 12) }
    const processes = [testPeople(first, time), testPeople(second, time)]
    try {
      await addStore(first, 'store')
      const token = made(await processes[0]?.people.links.forFirstOwner('store', OPERATOR))
      const results = await Promise.all(
        processes.map(({ people }, i) => {
          const credentials = { password: PASSWORD, totp: TOTP_SECRET, code: codeAt(time.nowMs) }
          const email = `ana${String(i)}@shop.example`
          return people.links.use(
            token,
            { kind: 'new-person', name: 'Ana', email, credentials },
            FROM,
          )
        }),
      )

      expect(results.filter((result) => result === 'gone')).toHaveLength(1)
      expect(await processes[0]?.people.staff.list()).toHaveLength(1)
    } finally {
      await second.close()
      await first.close()
    }
  })
})
