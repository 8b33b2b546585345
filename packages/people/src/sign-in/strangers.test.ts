import { HOUR_MS, MINUTE_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { networkOf } from './lockout-sql.js'
import type { Origin } from '../model/people.js'
import {
  FROM,
  PASSWORD,
  type TestPeople,
  addStore,
  openTestPeople,
  passkeyNamed,
} from '../people.fixture.js'
import { signIn } from './sign-in-sql.js'

const WRONG = new Secret('wrong horse 99')

for (const engine of TEST_ENGINES) {
  describe(`strangers who guess, on ${engine.name}`, () => {
    let test: TestPeople
    let [store, email] = ['', '']
    let stores = 0
    beforeAll(async () => {
      test = await openTestPeople(engine)
    })
    afterAll(() => test.database.close())
    beforeEach(async () => {
      stores += 1
      ;[store, email] = [`store-${String(stores)}`, `ana${String(stores)}@shop.example`]
      await addStore(test.database, store)
    })

    const at = (address: string, visitId = address, more = {}): Origin => ({
      ...FROM,
      address,
      visitId,
      ...more,
    })
    const tryAs = (from: Origin, password = PASSWORD, who = email) =>
      signIn(test.deps, { email: who, password, code: test.nextCode(), from })
    /** Tries the given number of unknown e-mails, each once. */
    const guess = async (from: Origin, count: number) => {
      for (let i = 0; i < count; i++)
        expect(await tryAs(from, WRONG, `nobody${String(i)}@${store}.example`)).toBe('refused')
    }

    it('hold no place of a browser that the person knows, nor of a range that is named', async () => {
      await test.join(store, email, 'support')
      const { enter } = test.deps.passwords
      const places = Array.from({ length: 12 }, (_, i) => enter(`192.0.2.${String(i >> 1)}`))
      expect(places).not.toContain(undefined)

      expect(await tryAs(at('198.51.100.9'))).toBe('busy')
      expect(await tryAs(FROM)).toHaveProperty('sessionId')
      const named = at('198.51.100.10', 'new', { isOfNamedNetwork: true })
      expect(await tryAs(named)).toHaveProperty('sessionId')
      for (const place of places) place?.leave()
    })

    it('have two places in a network, however many addresses it has', async () => {
      const { enter } = test.deps.passwords
      const places = [1, 2].map((i) => enter(networkOf(`2001:db8::${String(i)}`)))
      expect(await tryAs(at('2001:db8::3'), WRONG)).toBe('busy')
      expect(await tryAs(at('2001:db8:0:1::1'), WRONG)).toBe('refused')
      for (const place of places) place?.leave()
    })

    it('are slowed down after 20 e-mails in an hour from an address, to one try a minute', async () => {
      const from = at(`203.0.113.${String(stores)}`)
      await guess(from, 21)
      expect(await tryAs(from, WRONG)).toBe('refused')
      expect(await tryAs(from, WRONG)).toEqual({ waitMs: expect.any(Number) as number })
      test.time.nowMs += MINUTE_MS
      expect(await tryAs(from, WRONG)).toBe('refused')
      test.time.nowMs += HOUR_MS
      await guess(from, 3)
    })

    it('slow down neither a known browser, nor a passkey, nor a range that is named', async () => {
      const address = `198.18.0.${String(stores)}`
      const link = await test.join(store, email, 'support')
      const session = await test.sessionOf(link.sessionId)
      if (session === undefined) throw new Error('no session')
      await test.people.own.addPasskey(session, passkeyNamed(`key of ${email}`))
      await guess(at(address), 21)
      expect(await tryAs(at(address, 'another'), WRONG)).toBe('refused')
      expect(await tryAs(at(address, 'another'))).toHaveProperty('waitMs')

      expect(await tryAs({ ...FROM, address })).toHaveProperty('sessionId')
      const use = { passkeyId: `key of ${email}`, counter: 0, backedUp: false }
      expect(await test.people.signInWithPasskey(use, at(address))).toHaveProperty('sessionId')
      const named = at(address, 'of the office', { isOfNamedNetwork: true })
      expect(await tryAs(named)).toHaveProperty('sessionId')
    })

    it('are not those of an office who sign in behind one address', async () => {
      const address = `198.18.1.${String(stores)}`
      for (let i = 0; i < 22; i++) {
        const one = `one${String(i)}-${email}`
        await test.join(store, one, 'support')
        expect(await tryAs(at(address, one), PASSWORD, one)).toHaveProperty('sessionId')
      }
    })

    it('get no letters written to all who work here', async () => {
      await test.join(store, email, 'support')
      const from = at(`198.18.2.${String(stores)}`)
      const forgotten: typeof test.people.links.forgotten = (...of) =>
        test.people.links.forgotten(...of)
      for (let i = 0; i < 21; i++) await forgotten(`nobody${String(i)}@${store}.example`, from)

      expect(await forgotten(email, from)).toBeUndefined()
      expect(await forgotten(email, { ...FROM, address: from.address })).toBeDefined()
      expect(await forgotten(email, at('198.18.3.1'))).toBeDefined()
    })
  })
}
