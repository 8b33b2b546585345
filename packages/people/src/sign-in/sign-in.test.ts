import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Secret } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { TEST_ENGINES, lockWaiters, openTwiceOnPostgres } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashSessionId } from '../model/digest.js'
import { allTriesKey } from './lockout-sql.js'
import type { OpenedSession, Origin, SignInAttempt, SignInResult } from '../model/people.js'
import {
  FROM,
  GATEWAY_MIGRATIONS,
  OPERATOR,
  PASSWORD,
  type TestPeople,
  addStore,
  openTestPeople,
  passkeyNamed,
  setEnabled,
  testPeople,
} from '../people.fixture.js'
import type { PeopleTables } from '../model/people-tables.js'
import { signIn } from './sign-in-sql.js'

const WRONG = new Secret('wrong horse 10')
const NO_CODE = new Secret('000000')

function opened(result: SignInResult | OpenedSession | 'ended'): OpenedSession {
  if (typeof result === 'string' || 'waitMs' in result) throw new Error(JSON.stringify(result))
  return result
}

/** Runs units of work, and records their statements without the values. */
function recording(database: Database<PeopleTables>, asked: string[]): Database<PeopleTables> {
  const plugin = {
    transformQuery: ({ node }: { readonly node: object }) => {
      asked.push(JSON.stringify(node, (key, of: unknown) => (/^values?$/.test(key) ? '?' : of)))
      return node as never
    },
    transformResult: ({ result }: { readonly result: never }) => Promise.resolve(result),
  }
  return {
    ...database,
    transact: (work) =>
      database.transact((trx) =>
        work(trx.withPlugin(plugin as never) as unknown as Connection<PeopleTables>),
      ),
  }
}

for (const engine of TEST_ENGINES) {
  describe(`signing in, on ${engine.name}`, () => {
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

    const attempt = (change: Partial<SignInAttempt> = {}): SignInAttempt => ({
      email,
      password: PASSWORD,
      code: change.code ?? test.nextCode(),
      from: { ...FROM, visitId: `visit of ${email}` },
      ...change,
    })
    const at = (address: string, visitId = 'unknown'): Origin => ({ ...FROM, address, visitId })
    const tryWrong = (times: number, from: Origin) =>
      trySome(times, () => test.people.signIn(attempt({ password: WRONG, from })))
    const trySome = async (times: number, once: () => Promise<unknown>) => {
      const results: unknown[] = []
      for (let i = 0; i < times; i++) results.push(await once())
      return results
    }

    it('takes e-mail, password and code, and opens a session that no other sign-in has', async () => {
      const { personId } = await test.join(store, email, 'support')
      const first = opened(await test.people.signIn(attempt({ email: ` ${email.toUpperCase()} ` })))
      const second = opened(await test.people.signIn(attempt()))

      expect([first.personId, second.personId]).toEqual([personId, personId])
      expect(first.sessionId).not.toBe(second.sessionId)
      const found = await test.people.find(hashSessionId(first.sessionId), store)
      expect(found?.access).toMatchObject({ kind: 'person', personId, role: 'support' })
      expect(found?.session).toMatchObject({ email, address: FROM.address, steppedUpUntilMs: 0 })
    })

    it.each<[string, () => Partial<SignInAttempt>]>([
      ['an unknown e-mail', () => ({ email: 'nobody@shop.example' })],
      ['no e-mail', () => ({ email: '' })],
      ['what no database keeps', () => ({ email: `ana\0@shop.example` })],
      ['a wrong password', () => ({ password: WRONG })],
      ['a wrong code', () => ({ code: NO_CODE })],
      ['a wrong recovery code', () => ({ code: new Secret('AAAA-AAAA-AAAA-AAAA') })],
      ['no code', () => ({ code: new Secret('') })],
    ])('refuses %s, and says no more', async (_, change) => {
      await test.join(store, email, 'support')

      expect(await test.people.signIn(attempt(change()))).toBe('refused')
    })

    it('takes a code of the authenticator once', async () => {
      await test.join(store, email, 'support')
      const code = test.nextCode()
      const both = await Promise.all([
        test.people.signIn(attempt({ code })),
        test.people.signIn(attempt({ code, from: at('198.51.100.9') })),
      ])

      expect(both.filter((result) => result === 'refused')).toHaveLength(1)
      expect(await test.people.signIn(attempt({ code }))).toBe('refused')
    })

    it('uses up no code with a wrong password', async () => {
      const { recoveryCodes } = await test.join(store, email, 'support')
      const codes = [test.nextCode(), ...recoveryCodes.slice(0, 1)]
      for (const code of codes) {
        expect(await test.people.signIn(attempt({ code, password: WRONG }))).toBe('refused')
        opened(await test.people.signIn(attempt({ code })))
      }
    })

    it('takes each recovery code once, however it is typed', async () => {
      const { personId, recoveryCodes } = await test.join(store, email, 'support')
      const [first = WRONG] = recoveryCodes
      const typed = new Secret(first.reveal().toLowerCase().replaceAll('-', ' '))

      expect(new Set(recoveryCodes.map((code) => code.reveal())).size).toBe(10)
      opened(await test.people.signIn(attempt({ code: typed })))
      expect(await test.people.signIn(attempt({ code: first }))).toBe('refused')
      expect(await test.people.own.recoveryCodesLeft(personId)).toBe(9)
    })

    it('runs the same statements and as many hashes for known and unknown people', async () => {
      const totpLess = `passkey-${email}`
      const disabled = `disabled-${email}`
      await test.join(store, email, 'support')
      const { personId } = await test.join(store, totpLess, 'support')
      await test.database.transact((trx) =>
        trx
          .updateTable('people')
          .set({ password: null, totp: null })
          .where('id', '=', personId)
          .execute(),
      )
      await test.join(store, disabled, 'support')
      await test.people.staff.disable(disabled, OPERATOR)
      const cases: readonly Partial<SignInAttempt>[] = [
        { email: `nobody-${email}` },
        { email: totpLess },
        { email: disabled },
        { password: WRONG },
        { code: NO_CODE },
        { code: new Secret('AAAA-AAAA-AAAA-AAAA') },
      ]
      const asked = []
      for (const [i, change] of cases.entries()) {
        const statements: string[] = []
        const hashed: (string | undefined)[] = []
        const { passwords } = test.deps
        const counted = {
          ...passwords,
          matches: (given: Secret<string>, hash: string | undefined) => {
            hashed.push(hash)
            return passwords.matches(given, hash)
          },
        }
        const database = recording(test.database, statements)
        const from = at(`192.0.2.${String(i + 1)}`)
        const result = await signIn(
          { ...test.deps, database, passwords: counted },
          attempt({ from, ...change }),
        )
        expect(result).toBe('refused')
        asked.push({ statements, hashes: hashed.length })
      }

      expect(asked[0]?.statements.length).toBeGreaterThan(6)
      for (const one of asked) expect(one).toEqual(asked[0])
    })

    it('waits a quarter of an hour after five failures from an address, for any e-mail', async () => {
      for (const tried of [email, `nobody-${email}`]) {
        const guess = () =>
          test.people.signIn(attempt({ email: tried, code: NO_CODE, from: at('192.0.2.1') }))
        const failures = await trySome(5, guess)
        test.time.nowMs += SECOND_MS
        const sixth = await guess()

        expect(new Set(failures)).toEqual(new Set(['refused']))
        expect(sixth).toEqual({ waitMs: 15 * MINUTE_MS - SECOND_MS })
        test.time.nowMs += 15 * MINUTE_MS
        expect(await guess()).toBe('refused')
      }
    })

    it('counts simultaneous attempts, in every process', async () => {
      await test.join(store, email, 'support')
      const other = testPeople(test.database, test.time)
      const code = test.nextCode()
      const guesses = Array.from({ length: 12 }, (_, i) => {
        const { people } = i % 2 === 0 ? test : other
        return people.signIn(attempt({ password: WRONG, code, from: at('192.0.2.2') }))
      })
      const results = await Promise.all(guesses)
      const further = await tryWrong(5, at('192.0.2.2'))

      const refused = [...results, ...further].filter((result) => result === 'refused')
      expect(refused).toHaveLength(5)
    })

    it("locks no person out because of a neighbour's guesses behind the same address", async () => {
      await test.join(store, email, 'support')
      const own = at('192.0.2.3', 'browser of Ana')
      opened(await test.people.signIn(attempt({ from: own })))
      await tryWrong(6, at('192.0.2.3', 'neighbour'))

      expect(await tryWrong(1, at('192.0.2.3', 'neighbour'))).toEqual([
        expect.objectContaining({ waitMs: expect.any(Number) as number }),
      ])
      opened(await test.people.signIn(attempt({ from: own })))
      expect(new Set(await tryWrong(5, own))).toEqual(new Set(['refused']))
      expect(await test.people.signIn(attempt({ from: own }))).toHaveProperty('waitMs')
    })

    it('takes the /64 of an IPv6 address for one', async () => {
      await tryWrong(5, at('2001:db8:0:1::7'))

      expect((await tryWrong(1, at('2001:db8:0:1:ffff::9')))[0]).toHaveProperty('waitMs')
      expect(await tryWrong(1, at('2001:db8:0:2::7'))).toEqual(['refused'])
    })

    it('makes unknown browsers wait after a hundred failures of all, and known ones not', async () => {
      await test.join(store, email, 'owner')
      const own = at('192.0.2.4', 'browser of Ana')
      opened(await test.people.signIn(attempt({ from: own })))
      await test.database.transact((trx) =>
        trx
          .updateTable('sign_in_failures')
          .set({ failures: 99 })
          .where('key', '=', allTriesKey(email))
          .execute(),
      )
      expect(await tryWrong(1, at('198.51.100.1'))).toEqual(['refused'])
      const [waiting] = await tryWrong(1, at('198.51.100.200'))
      const members = await test.people.staff.members(store)
      const [logged] = (await test.people.acts.list(store, { limit: 1 })).items

      expect((waiting as { readonly waitMs: number }).waitMs).toBeGreaterThan(23 * HOUR_MS)
      expect(members).toMatchObject([{ email, isGuessedAt: true }])
      expect(logged).toMatchObject({
        action: 'sign-in-failed',
        detail: { unknownBrowsersWait: true },
      })
      opened(await test.people.signIn(attempt({ from: own })))
      test.time.nowMs += DAY_MS
      opened(await test.people.signIn(attempt({ from: at('198.51.100.201') })))
    })

    it('counts no success, so that many browsers may sign in', async () => {
      await test.join(store, email, 'support')
      for (let i = 0; i < 8; i++)
        opened(await test.people.signIn(attempt({ from: at('192.0.2.5', `new ${String(i)}`) })))
      expect((await test.people.staff.members(store))[0]?.isGuessedAt).toBe(false)
    })

    it('asks for a retry after too many concurrent attempts, and counts nothing', async () => {
      const { enter } = test.deps.passwords
      const places = [enter('192.0.2.6'), enter('192.0.2.6')]
      const busy = await signIn(test.deps, attempt({ from: at('192.0.2.6') }))
      for (const place of places) place?.leave()

      expect(busy).toBe('busy')
    })

    it('logs who signed in and whose password was guessed at, and nothing of strangers', async () => {
      const { personId } = await test.join(store, email, 'owner')
      await test.people.signIn(attempt())
      await test.people.signIn(attempt({ password: WRONG }))
      await test.people.signIn(attempt({ email: `nobody-${email}` }))
      const { items: acts } = await test.people.acts.list(store, { limit: 2 })

      expect(acts).toMatchObject([
        { action: 'sign-in-failed', outcome: 'refused', actor: `person:${personId}` },
        { action: 'signed-in', outcome: 'done', address: FROM.address, detail: { by: 'password' } },
      ])
      expect(JSON.stringify(acts)).not.toContain(PASSWORD.reveal())
    })

    describe('a session', () => {
      const find = async (sessionId: string | undefined, storeId = store) =>
        await test.people.find(hashSessionId(sessionId ?? ''), storeId)

      it('is over after half an hour without use, and after twelve hours', async () => {
        const { sessionId } = await test.join(store, email, 'support')
        const startMs = test.time.nowMs
        while (test.time.nowMs < startMs + 12 * HOUR_MS - 29 * MINUTE_MS) {
          expect(await find(sessionId)).toBeDefined()
          test.time.nowMs += 29 * MINUTE_MS
        }
        test.time.nowMs = startMs + 12 * HOUR_MS
        expect(await find(sessionId)).toBeUndefined()
        const again = opened(await test.people.signIn(attempt()))
        test.time.nowMs += 30 * MINUTE_MS
        expect(await find(again.sessionId)).toBeUndefined()
      })

      it.each<[string, () => Promise<unknown>]>([
        ['the person is disabled', () => test.people.staff.disable(email, OPERATOR)],
        ['the only store is disabled', () => setEnabled(test.database, store, false)],
        [
          'the person is taken out of the only store',
          async () => {
            const [member] = await test.people.staff.members(store)
            const at = { storeId: store, personId: member?.id ?? '' }
            await test.people.staff.remove(at, OPERATOR)
          },
        ],
        [
          'it is ended',
          async () => {
            const [session] = await test.people.own.sessions(
              (await test.people.staff.members(store))[0]?.id ?? '',
            )
            if (session !== undefined) await test.people.signOut(session)
          },
        ],
      ])('is over at once when %s', async (_, end) => {
        const { sessionId } = await test.join(store, email, 'support')
        expect((await find(sessionId))?.access).toBeDefined()
        await end()

        expect(await find(sessionId)).toBeUndefined()
      })

      it('opens only stores that the person works in and that are enabled', async () => {
        const other = `${store}-other`
        await addStore(test.database, other)
        const { sessionId, personId } = await test.join(store, email, 'owner')
        const link = await test.people.links.invite(
          { storeId: other, email, role: 'finance' },
          OPERATOR,
        )
        const session = (await find(sessionId))?.session
        if (typeof link === 'string' || session === undefined) throw new Error('no link')
        expect((await find(sessionId, other))?.access).toBeUndefined()
        await test.people.links.use(link.token, { kind: 'signed-in', session }, FROM)

        expect((await find(sessionId, other))?.access).toMatchObject({ role: 'finance' })
        expect((await find(sessionId, 'no store'))?.access).toBeUndefined()
        await setEnabled(test.database, store, false)
        expect((await find(sessionId))?.access).toBeUndefined()
        expect((await find(sessionId, other))?.access).toMatchObject({ role: 'finance' })
        expect(await test.people.staff.storesOf(personId)).toEqual([
          { storeId: other, role: 'finance', scope: 'both' },
        ])
      })

      it('is found by one statement, and written once a minute', async () => {
        const { sessionId } = await test.join(store, email, 'support')
        const startMs = test.time.nowMs
        const usedAt = async () => (await find(sessionId))?.session.usedAtMs
        test.time.nowMs += MINUTE_MS - 1
        expect([await usedAt(), await usedAt()]).toEqual([startMs, startMs])
        test.time.nowMs += 1
        await usedAt()
        expect(await usedAt()).toBe(startMs + MINUTE_MS)
      })
    })

    describe('a step-up', () => {
      it('counts for five minutes, and gives the session another id', async () => {
        const { sessionId } = await test.join(store, email, 'owner')
        const session = await test.sessionOf(sessionId)
        if (session === undefined) throw new Error('no session')
        const code = test.nextCode()
        const renewed = opened(await test.people.stepUp(session, { code }, FROM))
        const found = await test.people.find(hashSessionId(renewed.sessionId), store)

        expect(await test.sessionOf(sessionId)).toBeUndefined()
        expect(found?.session.steppedUpUntilMs).toBe(test.time.nowMs + 5 * MINUTE_MS)
        expect(found?.access).toMatchObject({ steppedUpUntilMs: test.time.nowMs + 5 * MINUTE_MS })
        expect(found?.session.createdAtMs).toBe(session.createdAtMs)
        expect(await test.people.stepUp(found?.session ?? session, { code }, FROM)).toBe('refused')
      })

      it('leaves the session its access, under whichever id, until it ends', async () => {
        const { sessionId } = await test.join(store, email, 'owner')
        const session = await test.sessionOf(sessionId)
        if (session === undefined) throw new Error('no session')
        const code = test.nextCode()
        const renewed = opened(await test.people.stepUp(session, { code }, FROM))

        expect(await test.people.accessOf(session, store)).toMatchObject({ role: 'owner' })
        expect(await test.people.accessOf(session, `no ${store}`)).toBeUndefined()
        const now = await test.sessionOf(renewed.sessionId)
        if (now === undefined) throw new Error('no session')
        expect(now.firstIdHash).toBe(session.firstIdHash)
        await test.people.signOut(now)
        expect(await test.people.accessOf(session, store)).toBeUndefined()
      })

      it('takes a recovery code, or a passkey of that person alone', async () => {
        const { sessionId, recoveryCodes } = await test.join(store, email, 'owner')
        const other = await test.join(store, `other-${email}`, 'owner')
        const session = await test.sessionOf(sessionId)
        const others = await test.sessionOf(other.sessionId)
        const [code = WRONG] = recoveryCodes
        if (session === undefined || others === undefined) throw new Error('no session')
        await test.people.own.addPasskey(others, passkeyNamed(`key of ${email}`))
        const use = { passkeyId: `key of ${email}`, counter: 1, backedUp: false }

        expect(await test.people.stepUp(session, { passkey: use }, FROM)).toBe('refused')
        expect(
          await test.people.stepUp(session, { code: other.recoveryCodes[0] ?? WRONG }, FROM),
        ).toBe('refused')
        opened(await test.people.stepUp(session, { code }, FROM))
        opened(await test.people.stepUp(others, { passkey: use }, FROM))
      })

      it('ends the session at the fifth wrong proof', async () => {
        const { sessionId } = await test.join(store, email, 'owner')
        const session = await test.sessionOf(sessionId)
        if (session === undefined) throw new Error('no session')
        const proofs = await trySome(5, () => test.people.stepUp(session, { code: NO_CODE }, FROM))

        expect(proofs).toEqual(['refused', 'refused', 'refused', 'refused', 'ended'])
        expect(await test.sessionOf(sessionId)).toBeUndefined()
        const late = await test.people.stepUp(session, { code: test.nextCode() }, FROM)
        expect(late).toBe('ended')
      })
    })

    describe('a passkey', () => {
      it('signs its person in while it counts on, and never a disabled one', async () => {
        const { sessionId, personId } = await test.join(store, email, 'support')
        const session = await test.sessionOf(sessionId)
        if (session === undefined) throw new Error('no session')
        const id = `passkey of ${email}`
        expect(await test.people.own.addPasskey(session, passkeyNamed(id))).toBe('done')
        expect(await test.people.own.addPasskey(session, passkeyNamed(id))).toBe('passkey-taken')
        const use = (counter: number) =>
          test.people.signInWithPasskey({ passkeyId: id, counter, backedUp: true }, FROM)

        opened(await use(0))
        expect(opened(await use(7)).personId).toBe(personId)
        expect(await use(7)).toBe('refused')
        expect(await test.people.own.findPasskey(id)).toMatchObject({
          personId,
          counter: 7,
          backedUp: true,
          transports: ['usb'],
        })
        await test.people.staff.disable(email, OPERATOR)
        expect(await use(8)).toBe('refused')
      })

      it('answers a challenge once, in the browser and for the purpose it was made for', async () => {
        const { challenges } = test.people
        const bound = { purpose: 'sign-in', visitId: 'visit' } as const
        const challenge = await challenges.create(bound)
        const late = await challenges.create(bound)

        expect(challenge).not.toBe(late)
        expect(await challenges.consume(`${challenge.slice(0, -2)}AA`, bound)).toBe(false)
        expect(await challenges.consume('made up', bound)).toBe(false)
        expect(await challenges.consume(challenge, { ...bound, visitId: 'other' })).toBe(false)
        expect(await challenges.consume(challenge, { ...bound, purpose: 'step-up' })).toBe(false)
        expect(await challenges.consume(challenge, { ...bound, personId: 'per_1' })).toBe(false)
        const twice = [challenges.consume(challenge, bound), challenges.consume(challenge, bound)]
        expect((await Promise.all(twice)).toSorted()).toEqual([false, true])
        test.time.nowMs += 5 * MINUTE_MS
        expect(await challenges.consume(late, bound)).toBe(false)
      })

      it('keeps no challenge that a stranger asks for, only one that was taken', async () => {
        const { challenges } = test.people
        const kept = async () => {
          const rows = test.database.reader.selectFrom('console_challenges').select('expires_at')
          return (await rows.execute()).length
        }
        const before = await kept()
        const bound = { purpose: 'sign-in', visitId: 'stranger' } as const
        const made = await Promise.all(Array.from({ length: 50 }, () => challenges.create(bound)))

        expect(await kept()).toBe(before)
        expect(await challenges.consume(made[0] ?? '', bound)).toBe(true)
        expect(await kept()).toBe(before + 1)
      })
    })
  })
}

describe('two processes on PostgreSQL', () => {
  it('take one code, one recovery code and one challenge once', async () => {
    const [first, second] = await openTwiceOnPostgres<PeopleTables>(GATEWAY_MIGRATIONS)
    const time = { nowMs: Date.UTC(2026, 10, 23, 12) }
    const [one, other] = [testPeople(first, time), testPeople(second, time)]
    try {
      await addStore(first, 'store')
      const email = 'ana@shop.example'
      const { recoveryCodes } = await one.join('store', email, 'owner')
      const both = async (code: Secret<string>) =>
        await Promise.all(
          [one, other].map(({ people }, i) => {
            const from = { ...FROM, address: `192.0.2.${String(i)}` }
            return people.signIn({ email, password: PASSWORD, code, from })
          }),
        )
      for (const code of [one.nextCode(), ...recoveryCodes.slice(0, 1)])
        expect((await both(code)).filter((result) => result === 'refused')).toHaveLength(1)

      const bound = { purpose: 'sign-in', visitId: 'visit' } as const
      const challenge = await one.people.challenges.create(bound)
      const taken = await Promise.all(
        [one, other].map(({ people }) => people.challenges.consume(challenge, bound)),
      )
      expect(taken.toSorted()).toEqual([false, true])
    } finally {
      await second.close()
      await first.close()
    }
  })

  it('leave no session of a person who is disabled while a passkey is used', async () => {
    const [first, second] = await openTwiceOnPostgres<PeopleTables>(GATEWAY_MIGRATIONS)
    const time = { nowMs: Date.UTC(2026, 10, 23, 12) }
    const [one, other] = [testPeople(first, time), testPeople(second, time)]
    const waiters = async (count: number): Promise<void> => {
      while ((await lockWaiters(first)) < count)
        await new Promise((resolve) => setTimeout(resolve, 10))
    }
    try {
      await addStore(first, 'store')
      const email = 'bea@shop.example'
      const { sessionId } = await one.join('store', email, 'support')
      const session = await one.sessionOf(sessionId)
      await one.people.own.addPasskey(session!, passkeyNamed('key'))
      const use = { passkeyId: 'key', counter: 1, backedUp: true }
      const [entering, disabling] = await first.transact(async (trx) => {
        await trx.selectFrom('passkeys').select('id').forUpdate().execute()
        const entered = other.people.signInWithPasskey(use, FROM)
        await waiters(1)
        const disabled = one.people.staff.disable(email, OPERATOR)
        await Promise.race([disabled, waiters(2)])
        return [entered.then((result) => ({ result })), disabled.then((result) => ({ result }))]
      })
      expect(await disabling).toEqual({ result: 'done' })
      const { result } = await entering
      await one.people.staff.enable(email, OPERATOR)
      const opened = result === 'refused' ? undefined : result.sessionId
      expect(await one.sessionOf(opened)).toBeUndefined()
    } finally {
      await second.close()
      await first.close()
    }
  })
})
