import { MINUTE_MS, type Secret } from '@cofre/contracts'
import { TEST_ENGINES, openTwiceOnPostgres } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LinkResult, StaffSession } from '../model/people.js'
import {
  FROM,
  GATEWAY_MIGRATIONS,
  OPERATOR,
  PASSWORD,
  TOTP_SECRET,
  type TestPeople,
  addStore,
  openTestPeople,
  testPeople,
  used,
} from '../people.fixture.js'
import type { PeopleTables } from '../model/people-tables.js'

const STORE = 'demo'
const LIVES_MS = 10 * MINUTE_MS

async function link({ people }: TestPeople, livesMs = LIVES_MS): Promise<Secret<string>> {
  const made = await people.links.forDemoOwner(STORE, OPERATOR, livesMs)
  if (made === undefined) throw new Error('there is no such store')
  return made.token
}

const use = (
  { people }: TestPeople,
  token: Secret<string>,
  session?: StaffSession,
): Promise<LinkResult> => people.links.use(token, { kind: 'demo', session }, FROM)

// The lock and the use differ between the engines, so they are tested on PostgreSQL below.
for (const engine of TEST_ENGINES.slice(0, 1))
  describe('a link for the demo store’s owner', () => {
    let test: TestPeople
    let other: TestPeople
    beforeAll(async () => {
      test = await openTestPeople(engine, { demoStoreId: STORE })
      // A second process, like `serve`, or a console that other machines reach.
      other = testPeople(test.database, test.time)
      await addStore(test.database, STORE)
    })
    afterAll(() => test.database.close())

    it('makes the owner, signs in once, and is looked at without being used', async () => {
      const token = await link(test)
      for (let i = 0; i < 2; i++)
        expect(await test.people.links.view(token)).toMatchObject({
          purpose: 'demo',
          storeId: STORE,
        })
      const { personId, sessionId } = used(await use(test, token))
      expect(await test.people.staff.members(STORE)).toMatchObject([
        { id: personId, role: 'owner', hasPassword: false, passkeys: 0 },
      ])
      expect(await test.sessionOf(sessionId)).toMatchObject({ personId, steppedUpUntilMs: 0 })
      expect(await use(test, token)).toBe('gone')
      expect(await test.people.links.view(token)).toBeUndefined()
    })

    it('signs the same owner in again, by another link', async () => {
      const first = used(await use(test, await link(test)))
      const second = used(await use(test, await link(test)))
      expect(second.personId).toBe(first.personId)
      expect(second.sessionId).not.toBe(first.sessionId)
      expect(await test.people.staff.members(STORE)).toHaveLength(1)
    })

    it('opens nothing in a process that has no demo store, or another one', async () => {
      const token = await link(test)
      const elsewhere = testPeople(test.database, test.time, { demoStoreId: 'another' })
      for (const people of [other, elsewhere]) {
        expect(await people.people.links.view(token)).toBeUndefined()
        expect(await use(people, token)).toBe('gone')
      }
      used(await use(test, token))
    })

    it('is over after its time, and when all of them are ended', async () => {
      const late = await link(test)
      test.time.nowMs += LIVES_MS
      expect(await use(test, late)).toBe('gone')
      const ended = await link(test)
      await test.people.links.endForDemoOwner(STORE)
      expect(await use(test, ended)).toBe('gone')
    })

    it('is kept as a hash, and is no invitation that the store lists', async () => {
      const token = await link(test)
      const rows = await test.database.reader.selectFrom('console_links').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(token.reveal())
      expect(await test.people.links.open(STORE)).toEqual([])
      const acts = await test.people.acts.list(STORE, { action: 'link-made', limit: 1 })
      expect(acts.items).toMatchObject([{ detail: { purpose: 'demo' } }])
    })

    it('is no other kind of link, nor is another one of its kind', async () => {
      const claim = { kind: 'new-person', name: 'Ana', email: 'a@b.example' } as const
      const credentials = { password: PASSWORD, totp: TOTP_SECRET, code: test.nextCode() }
      const token = await link(test)
      expect(await test.people.links.use(token, { ...claim, credentials }, FROM)).toBe('gone')
      const invitation = { storeId: STORE, email: 'a@b.example', role: 'owner' } as const
      const invited = await test.people.links.invite(invitation, OPERATOR)
      if (typeof invited === 'string') throw new Error(invited)
      expect(await use(test, invited.token)).toBe('gone')
    })

    it('confirms who is signed in and has nothing else to confirm with', async () => {
      const { sessionId } = used(await use(test, await link(test)))
      const session = await test.sessionOf(sessionId)
      const proof = used(await use(test, await link(test), session))
      expect(proof).toMatchObject({ isProof: true, personId: session?.personId })
      expect(await test.sessionOf(sessionId)).toBeUndefined()
      const renewed = await test.sessionOf(proof.sessionId)
      expect(renewed?.firstIdHash).toBe(session?.firstIdHash)
      expect(renewed?.steppedUpUntilMs).toBe(test.time.nowMs + 5 * MINUTE_MS)
    })

    it('is no proof for an owner with an authenticator, but signs in like a password', async () => {
      const { sessionId } = used(await use(test, await link(test)))
      const session = await test.sessionOf(sessionId)
      if (session === undefined) throw new Error('no session')
      const totp = { secret: TOTP_SECRET, code: test.nextCode() }
      const changed = await test.people.own.setTotp(session, totp, PASSWORD)
      if (typeof changed === 'string') throw new Error(changed)
      const own = await test.sessionOf(changed.sessionId)
      const entered = used(await use(test, await link(test), own))
      expect(entered.isProof).toBeUndefined()
      expect(await test.sessionOf(entered.sessionId)).toMatchObject({ steppedUpUntilMs: 0 })
    })

    it('signs in no disabled owner, and is made for no unknown store', async () => {
      const [owner] = await test.people.staff.list()
      await test.database.transact((trx) => trx.updateTable('people').set({ enabled: 0 }).execute())
      expect(await use(test, await link(test))).toBe('gone')
      expect(owner?.email).toBe('owner@demo-store.example')
      expect(await test.people.links.forDemoOwner('unknown', OPERATOR, 1)).toBeUndefined()
    })
  })

it('two processes on PostgreSQL use a link for the demo store’s owner once', async () => {
  const databases = await openTwiceOnPostgres<PeopleTables>(GATEWAY_MIGRATIONS)
  const [first, second] = databases
  try {
    await addStore(first, STORE)
    const time = { nowMs: Date.UTC(2026, 10, 23, 12) }
    const processes = databases.map((each) => testPeople(each, time, { demoStoreId: STORE }))
    const token = await link(testPeople(first, time))
    const results = await Promise.all(processes.map((process) => use(process, token)))
    expect(results.filter((result) => result === 'gone')).toHaveLength(1)
    expect(await processes[0]?.people.staff.list()).toHaveLength(1)
  } finally {
    await second.close()
    await first.close()
  }
})
