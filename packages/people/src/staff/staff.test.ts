import { readFileSync, readdirSync } from 'node:fs'
import { DAY_MS, HOUR_MS, MINUTE_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES, openTwiceOnPostgres } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NewAct } from '../model/act.js'
import { createPeople } from '../create-people.js'
import { hashSessionId } from '../model/digest.js'
import type { By, UsedLink } from '../model/people.js'
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
  sealingBy,
  testPeople,
  used,
} from '../people.fixture.js'
import type { PeopleTables } from '../model/people-tables.js'
import { createSqlStoreSessions } from '../sign-in/store-session-sql.js'
import { createSqlSweep } from '../sign-in/sweep-sql.js'

const OTHER_PASSWORD = new Secret('another horse 8')

for (const engine of TEST_ENGINES) {
  describe(`staff, on ${engine.name}`, () => {
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

    const memberOf = ({ personId }: UsedLink) => ({ storeId: store, personId })
    const sessionOf = async (link: { readonly sessionId?: string | undefined }) => {
      const session = await test.sessionOf(link.sessionId)
      if (session === undefined) throw new Error('no session')
      return session
    }

    describe('the last owner', () => {
      it('is not removed, nor made less, nor disabled', async () => {
        const { staff } = test.people
        const owner = await test.join(store, email, 'owner')
        const withoutCredentials = await test.join(store, `lost-${email}`, 'owner')
        const disabled = await test.join(store, `disabled-${email}`, 'owner')
        await test.database.transact((trx) =>
          trx
            .updateTable('people')
            .set({ totp: null, password: null })
            .where('id', '=', withoutCredentials.personId)
            .execute(),
        )
        expect(await staff.disable(`disabled-${email}`, OPERATOR)).toBe('done')

        expect(await staff.remove(memberOf(owner), OPERATOR)).toBe('last-owner')
        expect(await staff.setRole(memberOf(owner), 'finance', OPERATOR)).toBe('last-owner')
        expect(await staff.disable(email, OPERATOR)).toBe('last-owner')
        expect(await staff.setRole(memberOf(owner), 'owner', OPERATOR)).toBe('done')
        expect(await staff.enable(`disabled-${email}`, OPERATOR)).toBe('done')
        expect(await staff.setRole(memberOf(owner), 'finance', OPERATOR)).toBe('done')
        expect(await staff.remove(memberOf(disabled), OPERATOR)).toBe('last-owner')
      })

      it('of one store may be another owner of another', async () => {
        const second = `${store}-second`
        await addStore(test.database, second)
        await test.join(store, email, 'owner')
        await test.join(second, `bia-${email}`, 'owner')

        expect(await test.people.staff.disable(email, OPERATOR)).toBe('last-owner')
      })

      it('cannot be two who go at once', async () => {
        const both = [await test.join(store, email, 'owner')]
        both.push(await test.join(store, `bia-${email}`, 'owner'))
        const results = await Promise.all(
          both.map((one) => test.people.staff.remove(memberOf(one), OPERATOR)),
        )

        expect(results.toSorted()).toEqual(['done', 'last-owner'])
      })
    })

    it('is changed in its own store alone', async () => {
      const other = await test.join(store, email, 'support')
      const elsewhere = { storeId: 'unknown', personId: other.personId }

      expect(await test.people.staff.setRole(elsewhere, 'owner', OPERATOR)).toBe('not-found')
      expect(await test.people.staff.remove(elsewhere, OPERATOR)).toBe('not-found')
      expect(await test.people.staff.disable('nobody@shop.example', OPERATOR)).toBe('not-found')
      expect(await test.people.staff.enable('nobody@shop.example', OPERATOR)).toBe('not-found')
    })

    it('is listed with stores and roles, for operators', async () => {
      const { personId } = await test.join(store, email, 'developer')

      expect((await test.people.staff.list()).find(({ id }) => id === personId)).toEqual({
        id: personId,
        email,
        name: email.replace('@', ' of '),
        isEmailProved: true,
        enabled: true,
        hasPassword: true,
        passkeys: 0,
        stores: [{ storeId: store, role: 'developer', scope: 'both' }],
        createdAtMs: test.time.nowMs,
      })
    })

    it('is logged with the name of that day, and a change of name with both', async () => {
      const link = await test.join(store, email, 'owner')
      const invitation = { storeId: store, email: `bia-${email}`, role: 'support' } as const
      const by: By = { ...OPERATOR, actor: `person:${link.personId}` }
      await test.people.links.invite(invitation, by)
      await test.people.own.setName(await sessionOf(link), 'Another Name')
      await test.people.signOut(await sessionOf(link))

      const called = { actor: by.actor, actorName: email.replace('@', ' of '), actorEmail: email }
      const { items: acts } = await test.people.acts.list(store, { limit: 10, actor: by.actor })
      expect(acts.find(({ action }) => action === 'link-made')).toMatchObject(called)
      expect(acts.find(({ action }) => action === 'name-changed')).toMatchObject({
        ...called,
        detail: { nameBefore: called.actorName, nameAfter: 'Another Name' },
      })
      expect(acts.find(({ action }) => action === 'signed-out')).toMatchObject({
        actorName: 'Another Name',
      })
      expect(await test.people.links.open(store)).toMatchObject([called])
    })

    it('is known to have a secret that it drew, until another person drew one', async () => {
      const [ana, bia] = [
        await test.join(store, email, 'developer'),
        await test.join(store, `bia-${email}`, 'owner'),
      ]
      const { acts } = test.people
      const draw = async ({ personId }: UsedLink, outcome: 'done' | 'refused' = 'done') => {
        const actor = `person:${personId}` as const
        const act = { environment: 'production', action: 'store:secret', outcome: 'asked' } as const
        const from = { address: '', browser: '' }
        await acts.end(await acts.record({ ...act, ...from, storeId: store, actor }), outcome)
      }
      const drawn = async ({ personId }: UsedLink) =>
        (await acts.drawnSecrets(personId)).map(({ storeId }) => storeId)
      await draw(ana, 'refused')
      expect(await drawn(ana)).toEqual([])
      await draw(ana)
      await draw(bia)
      // The previous secret signs for a day.
      expect([await drawn(ana), await drawn(bia)]).toEqual([[store], [store]])
      test.time.nowMs += DAY_MS
      await draw(bia)
      expect(await drawn(ana)).toEqual([])
    })

    it('misses five documents a day, which the log names by a keyed digest', async () => {
      const { documentSearches: searches } = test.people
      const { personId } = await test.join(store, email, 'support')
      const first = await searches.begin(personId, '52998224725')
      await searches.found(personId)
      expect(first.isAllowed).toBe(true)
      for (let i = 0; i < 5; i++)
        expect((await searches.begin(personId, String(i))).isAllowed).toBe(true)
      expect(await searches.begin(personId, '52998224725')).toEqual({ ...first, isAllowed: false })
      expect((await searches.begin('per_other', '1')).isAllowed).toBe(true)
      test.time.nowMs += DAY_MS
      expect((await searches.begin(personId, '1')).isAllowed).toBe(true)

      const rows = await test.database.reader.selectFrom('people_keys').selectAll().execute()
      expect(rows).toHaveLength(1)
      const { database, deps } = test
      const anew = createPeople({ database, clock: deps.clock, sealing: sealingBy('2', 'key-1') })
      expect((await anew.documentSearches.begin(personId, '52998224725')).digest).toBe(first.digest)
      const lost = createPeople({ database, clock: deps.clock, sealing: sealingBy('3') })
      expect((await lost.documentSearches.begin(personId, '52998224725')).digest).not.toBe(
        first.digest,
      )
      await database.transact((trx) => trx.deleteFrom('people_keys').execute())
    })

    describe('credentials of one’s own', () => {
      it('end other sessions when they change, and give this one another id', async () => {
        const first = await test.join(store, email, 'support')
        const signIn = async (password: Secret<string>) =>
          await test.people.signIn({ email, password, code: test.nextCode(), from: FROM })
        const second = await signIn(PASSWORD)
        const session = await sessionOf(first)
        const { own } = test.people
        expect(await own.setPassword(session, new Secret('weak'))).toBe('weak-password')
        const renewed = await own.setPassword(session, OTHER_PASSWORD)
        if (typeof renewed === 'string' || typeof second === 'string' || 'waitMs' in second)
          throw new Error('refused')

        expect(await test.sessionOf(first.sessionId)).toBeUndefined()
        expect(await test.sessionOf(second.sessionId)).toBeUndefined()
        expect(await own.setPassword(session, OTHER_PASSWORD)).toBe('ended')
        expect(await signIn(PASSWORD)).toBe('refused')
        const after = await sessionOf(renewed)
        const totp = new Secret('MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK')
        const wrong = { secret: totp, code: new Secret('000000') }
        expect(await own.setTotp(after, wrong)).toBe('wrong-code')
        const code = codeAt(test.time.nowMs, totp)
        expect(await own.setTotp(after, { secret: totp, code })).toHaveProperty('sessionId')
        expect(await signIn(OTHER_PASSWORD)).toBe('refused')
      })

      it('require an authenticator with a password, and a password with an authenticator', async () => {
        const link = await test.people.links.invite(
          { storeId: store, email, role: 'support' },
          OPERATOR,
        )
        if (typeof link === 'string') throw new Error(link)
        const passkey = passkeyNamed(`key of ${email}`)
        const used = await test.people.links.use(
          link.token,
          { kind: 'new-person', name: 'Ana', credentials: { passkey } },
          FROM,
        )
        if (typeof used === 'string') throw new Error(used)
        const session = await sessionOf(used)
        const { own } = test.people
        const totp = () => ({ secret: TOTP_SECRET, code: test.nextCode() })

        expect(await own.hasPassword(session.personId)).toBe(false)
        expect(await own.setPassword(session, PASSWORD)).toBe('no-totp')
        expect(await own.setTotp(session, totp())).toBe('weak-password')
        expect(await own.removePasskey(session, passkey.id)).toBe('last-one')
        const renewed = await own.setTotp(session, totp(), PASSWORD)
        if (typeof renewed === 'string') throw new Error(renewed)
        const after = await sessionOf(renewed)
        expect(await own.hasPassword(session.personId)).toBe(true)
        expect(await own.removePasskey(after, 'unknown')).toBe('not-found')
        expect(await own.removePasskey(after, passkey.id)).toBe('done')
      })

      it('keep their password when the authenticator alone changes', async () => {
        const session = await sessionOf(await test.join(store, email, 'support'))
        const totp = { secret: TOTP_SECRET, code: test.nextCode() }
        expect(await test.people.own.setTotp(session, totp, OTHER_PASSWORD)).toHaveProperty(
          'sessionId',
        )
        const attempt = { email, code: test.nextCode(), from: FROM }
        expect(await test.people.signIn({ ...attempt, password: OTHER_PASSWORD })).toBe('refused')
      })

      it('are not changed by a session that is over meanwhile', async () => {
        const session = await sessionOf(await test.join(store, email, 'support'))
        const { own } = test.people
        const passkey = passkeyNamed(`key of ${email}`)
        expect(await own.addPasskey(session, passkey)).toBe('done')
        await test.people.signOut(session)

        expect(await own.addPasskey(session, passkeyNamed(`other of ${email}`))).toBe('ended')
        expect(await own.removePasskey(session, passkey.id)).toBe('ended')
        expect(await own.newRecoveryCodes(session)).toBe('ended')
        expect(await own.passkeys(session.personId)).toHaveLength(1)
        expect(await own.recoveryCodesLeft(session.personId)).toBe(10)
      })

      it('end what a lost passkey has opened, once it is removed', async () => {
        const first = await test.join(store, email, 'support')
        const session = await sessionOf(first)
        const passkey = passkeyNamed(`key of ${email}`)
        await test.people.own.addPasskey(session, passkey)
        const use = { passkeyId: passkey.id, counter: 0, backedUp: false }
        const lost = await test.people.signInWithPasskey(use, FROM)
        if (typeof lost === 'string') throw new Error(lost)
        await test.people.own.removePasskey(session, passkey.id)

        expect(await test.sessionOf(lost.sessionId)).toBeUndefined()
        expect(await test.sessionOf(first.sessionId)).toBeDefined()
      })

      it('are ten passkeys at most', async () => {
        const session = await sessionOf(await test.join(store, email, 'support'))
        const add = (i: number) =>
          test.people.own.addPasskey(session, passkeyNamed(`${String(i)} of ${email}`))
        for (let i = 0; i < 10; i++) expect(await add(i)).toBe('done')

        expect(await add(10)).toBe('too-many')
        expect(await test.people.own.passkeys(session.personId)).toHaveLength(10)
      })

      it('are new recovery codes, and the old ones are void', async () => {
        const { sessionId, recoveryCodes } = await test.join(store, email, 'support')
        const session = await sessionOf({ sessionId })
        const codes = await test.people.own.newRecoveryCodes(session)
        if (codes === 'ended') throw new Error(codes)
        const [old, fresh] = [recoveryCodes[0] ?? PASSWORD, codes[0] ?? PASSWORD]

        expect(await test.people.stepUp(session, { code: old }, FROM)).toBe('refused')
        expect(await test.people.stepUp(session, { code: fresh }, FROM)).toHaveProperty('sessionId')
        expect(await test.people.own.recoveryCodesLeft(session.personId)).toBe(9)
      })

      it('show the other sessions, and end them', async () => {
        const first = await test.join(store, email, 'support')
        const session = await sessionOf(first)
        const code = test.nextCode()
        await test.people.signIn({ email, password: PASSWORD, code, from: FROM })
        expect(await test.people.own.sessions(first.personId)).toHaveLength(2)
        await test.people.own.setName(session, 'Ana Lima')
        await test.people.own.endOtherSessions(session)

        expect(await test.people.own.sessions(first.personId)).toMatchObject([
          { idHash: session.idHash, name: 'Ana Lima', browser: 'Firefox' },
        ])
      })
    })

    describe('the log of acts', () => {
      const by = (personId: string): By => ({ ...FROM, actor: `person:${personId}` })
      const refund = (personId: string, target = '42'): NewAct => ({
        environment: 'production',
        storeId: store,
        actor: `person:${personId}`,
        action: 'refund:create',
        target,
        outcome: 'asked',
        detail: { amount: 1000 },
        address: '203.0.113.7',
        browser: 'Firefox',
      })

      it('records each act with its end, its actor and its origin', async () => {
        const { acts, staff } = test.people
        const ana = await test.join(store, email, 'owner')
        const asked = await acts.record(refund(ana.personId))
        test.time.nowMs += MINUTE_MS
        const open = await acts.record(refund(ana.personId))
        await acts.end(asked, 'refused', { why: 'too much' })
        const bia = await test.join(store, `bia-${email}`, 'support')
        test.time.nowMs += MINUTE_MS
        await staff.setRole(memberOf(bia), 'finance', by(ana.personId))

        expect(await acts.of(store, '42')).toMatchObject([
          { id: asked, outcome: 'refused', detail: { amount: 1000, why: 'too much' } },
          { id: open, outcome: 'asked', detail: { amount: 1000 } },
        ])
        const { items: all } = await acts.list(store, { limit: 20 })
        const [changed, ...others] = all.filter(({ actor }) => actor === `person:${ana.personId}`)
        expect(changed).toMatchObject({
          action: 'role-changed',
          actorName: email.replace('@', ' of '),
          address: '203.0.113.7',
          detail: { from: 'support', to: 'finance' },
        })
        expect(others.map(({ action }) => action).toSorted()).toEqual([
          'joined',
          'refund:create',
          'refund:create',
          'signed-in',
        ])
        expect(all.at(-1)).toMatchObject({ action: 'link-made', actor: 'operator:ana' })
        const refunds = await acts.list(store, { action: 'refund:create', limit: 9 })
        expect(refunds.items.map(({ id, outcome }) => [id, outcome])).toEqual([
          [open, 'asked'],
          [asked, 'refused'],
        ])
      })

      it('is read in pages, by person, time and target, each store its own', async () => {
        const { acts } = test.people
        const ana = await test.join(store, email, 'owner')
        const startMs = test.time.nowMs
        const ids: number[] = []
        for (let i = 0; i < 5; i++) {
          test.time.nowMs += HOUR_MS
          ids.unshift(await acts.record(refund(ana.personId, String(i))))
        }
        const idsOf = async (query: object, storeId = store) =>
          (await acts.list(storeId, { action: 'refund:create', limit: 9, ...query })).items.map(
            ({ id }) => id,
          )

        expect(await idsOf({ limit: 2 })).toEqual(ids.slice(0, 2))
        const { next } = await acts.list(store, { action: 'refund:create', limit: 2 })
        expect(await idsOf({ after: next })).toEqual(ids.slice(2))
        expect(await idsOf({ target: '3' })).toEqual([ids[1]])
        expect(await idsOf({ actor: `person:${ana.personId}` })).toEqual(ids)
        expect(await idsOf({ actor: 'operator:ana' })).toEqual([])
        const hours = { fromMs: startMs + 2 * HOUR_MS, untilMs: startMs + 4 * HOUR_MS }
        expect(await idsOf(hours)).toEqual([ids[2], ids[3]])
        expect(await idsOf({}, 'another store')).toEqual([])
      })

      it('draws another id if one is used', async () => {
        const acts = Array.from({ length: 300 }, () =>
          test.people.acts.record(refund('per_x', '7')),
        )

        expect(new Set(await Promise.all(acts)).size).toBe(300)
      })
    })

    it('sweeps what is over, once an hour', async () => {
      const { people, database, time } = test
      const ana = await test.join(store, email, 'owner')
      const bound = { purpose: 'sign-in', visitId: 'visit' } as const
      await people.challenges.consume(await people.challenges.create(bound), bound)
      await people.links.invite({ storeId: store, email: `x${email}`, role: 'support' }, OPERATOR)
      await people.signIn({ email, password: OTHER_PASSWORD, code: PASSWORD, from: FROM })
      const sweep = createSqlSweep(test.deps)
      const kept = async () => {
        await sweep()
        const { reader } = database
        const tables = [
          await reader.selectFrom('console_challenges').select('expires_at').execute(),
          await reader.selectFrom('console_sessions').select('id_hash').execute(),
          await reader.selectFrom('sign_in_failures').select('key').execute(),
          await reader.selectFrom('console_links').select('token_hash').execute(),
          await reader.selectFrom('known_browsers').select('used_at').execute(),
        ]
        return tables.map(({ length }) => length > 0)
      }

      expect(await kept()).toEqual([true, true, true, true, true])
      time.nowMs += 59 * MINUTE_MS
      expect(await kept()).toEqual([true, true, true, true, true])
      time.nowMs += MINUTE_MS
      expect(await kept()).toEqual([false, true, true, true, true])
      time.nowMs += DAY_MS
      expect(await kept()).toEqual([false, false, false, true, true])
      time.nowMs += 30 * DAY_MS
      expect(await kept()).toEqual([false, false, false, false, true])
      time.nowMs += 60 * DAY_MS
      expect(await kept()).toEqual([false, false, false, false, false])
      expect(await people.staff.members(store)).toMatchObject([{ id: ana.personId }])
    })

    it('keeps authenticators by the current key once they were wrapped again', async () => {
      await test.join(store, email, 'support')
      const { database, clock } = test.deps
      const rotating = createPeople({ database, clock, sealing: sealingBy('key-2', 'key-1') })
      const count = (await test.people.staff.list()).filter(({ hasPassword }) => hasPassword).length

      expect(await rotating.rewrap()).toBe(count)
      expect(await rotating.rewrap()).toBe(0)
      const people = createPeople({ database, clock, sealing: sealingBy('key-2') })
      const opened = await people.signIn({
        email,
        password: PASSWORD,
        code: test.nextCode(),
        from: FROM,
      })
      expect(opened).toHaveProperty('sessionId')
      await expect(test.people.rewrap()).rejects.toThrow('does not open')
      await createPeople({ database, clock, sealing: sealingBy('key-1', 'key-2') }).rewrap()
    })

    describe('sessions of a store’s secret', () => {
      const signIn = () => ({ storeId: store, secretMark: 'mark' })

      it('last twelve hours, or one without use, and are no person’s', async () => {
        const sessions = createSqlStoreSessions(test.deps)
        const id = hashSessionId(await sessions.open(signIn(), FROM))
        const expiresAtMs = test.time.nowMs + 12 * HOUR_MS
        expect(await sessions.find(id)).toMatchObject({ ...signIn(), expiresAtMs })
        expect(await test.people.find(id, store)).toBeUndefined()
        while (test.time.nowMs < expiresAtMs - HOUR_MS) {
          test.time.nowMs += HOUR_MS - MINUTE_MS
          const session = await sessions.find(id)
          if (session === undefined) throw new Error('no session')
          await sessions.recordUse(session)
        }
        test.time.nowMs = expiresAtMs
        expect(await sessions.find(id)).toBeUndefined()
        const idle = hashSessionId(await sessions.open(signIn(), FROM))
        test.time.nowMs += HOUR_MS
        expect(await sessions.find(idle)).toBeUndefined()
        const person = await test.join(store, email, 'owner')
        expect(await sessions.find(hashSessionId(person.sessionId ?? ''))).toBeUndefined()
      })

      it('end one by one, or all of a store', async () => {
        const sessions = createSqlStoreSessions(test.deps)
        const ids: string[] = []
        for (let i = 0; i < 3; i++) ids.push(hashSessionId(await sessions.open(signIn(), FROM)))
        const found = async () =>
          (await Promise.all(ids.map((id) => sessions.find(id)))).map((one) => one !== undefined)
        await sessions.end(ids[0] ?? '')
        expect(await found()).toEqual([false, true, true])
        await sessions.endOf('another store')
        expect(await found()).toEqual([false, true, true])
        await sessions.endOf(store)
        expect(await found()).toEqual([false, false, false])
      })

      it('admit five guesses, which do not lock out a known browser', async () => {
        const sessions = createSqlStoreSessions(test.deps)
        const [own, neighbour] = [FROM, { ...FROM, visitId: 'neighbour' }]
        await sessions.succeed(store, own)
        const waits = []
        for (let i = 0; i < 6; i++) waits.push(await sessions.begin(store, neighbour))

        expect(waits).toEqual([0, 0, 0, 0, 0, 15 * MINUTE_MS])
        expect(await sessions.begin(store, own)).toBe(0)
        await sessions.succeed(store, own)
        expect(await sessions.begin(store, neighbour)).toBe(15 * MINUTE_MS)
        const elsewhere = { ...neighbour, address: '203.0.113.8' }
        expect(await sessions.begin(store, elsewhere)).toBe(0)
        expect(await sessions.begin(`${store}-2`, neighbour)).toBe(0)
        await sessions.succeed(store, elsewhere)
        const again = []
        for (let i = 0; i < 6; i++) again.push(await sessions.begin(store, elsewhere))
        expect(again).toEqual([0, 0, 0, 0, 0, 15 * MINUTE_MS])
        expect(await sessions.begin(store, own)).toBe(0)
      })
    })
  })
}

describe('the log of acts', () => {
  it('is added to: no statement changes or deletes what it holds', () => {
    const folders = [
      '../../../people/src/',
      '../../../gateway/src/',
      '../../../panel/src/',
      '../../../server/src/',
    ]
    const sources = folders.flatMap((folder) => {
      const url = new URL(folder, import.meta.url)
      return readdirSync(url, { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<![.]test)[.]tsx?$/.test(file))
        .map((file) => readFileSync(new URL(file, url), 'utf8'))
    })
    const changing = /(?:updateTable|deleteFrom)\(\s*['"]acts['"]|(?:update|delete from) acts\b/

    expect(sources.length).toBeGreaterThan(300)
    expect(sources.filter((text) => changing.test(text))).toEqual([])
  })
})

describe('two processes on PostgreSQL', () => {
  it('leave a store its last owner', async () => {
    const [first, second] = await openTwiceOnPostgres<PeopleTables>(GATEWAY_MIGRATIONS)
    const time = { nowMs: Date.UTC(2026, 10, 23, 12) }
    const [one, other] = [testPeople(first, time), testPeople(second, time)]
    try {
      await addStore(first, 'store')
      await one.join('store', 'ana@shop.example', 'owner')
      const bia = await one.join('store', 'bia@shop.example', 'owner')
      const results = await Promise.all([
        one.people.staff.disable('ana@shop.example', OPERATOR),
        other.people.staff.remove({ storeId: 'store', personId: bia.personId }, OPERATOR),
      ])

      expect(results.toSorted()).toEqual(['done', 'last-owner'])
    } finally {
      await second.close()
      await first.close()
    }
  })

  it('leave a person the last passkey', async () => {
    const [first, second] = await openTwiceOnPostgres<PeopleTables>(GATEWAY_MIGRATIONS)
    const [one, other] = [testPeople(first), testPeople(second)]
    try {
      await addStore(first, 'store')
      const invitation = { storeId: 'store', email: 'ana@shop.example', role: 'support' } as const
      const link = await one.people.links.invite(invitation, OPERATOR)
      if (typeof link === 'string') throw new Error(link)
      const credentials = { passkey: passkeyNamed('key') }
      const claim = { kind: 'new-person', name: 'Ana', credentials } as const
      const { sessionId } = used(await one.people.links.use(link.token, claim, FROM))
      const session = await one.sessionOf(sessionId)
      if (session === undefined) throw new Error('no session')
      await one.people.own.addPasskey(session, passkeyNamed('spare'))
      const results = await Promise.all([
        one.people.own.removePasskey(session, 'key'),
        other.people.own.removePasskey(session, 'spare'),
      ])

      expect(results.toSorted()).toEqual(['done', 'last-one'])
      expect(await one.people.own.passkeys(session.personId)).toHaveLength(1)
    } finally {
      await second.close()
      await first.close()
    }
  })
})
