import type { Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashSessionId } from '../model/digest.js'
import type { By, IssuedLink, UsedLink } from '../model/people.js'
import {
  FROM,
  OPERATOR,
  PASSWORD,
  TOTP_SECRET,
  type TestPeople,
  addStore,
  openTestPeople,
  used,
} from '../people.fixture.js'
import { type Role, may } from '../model/role.js'

const SANDBOX = 'sandbox'

function tokenOf(link: IssuedLink | string): Secret<string> {
  if (typeof link === 'string') throw new Error(`no link: ${link}`)
  return link.token
}

for (const engine of TEST_ENGINES) {
  describe(`staff of a store that the sandbox alone has, on ${engine.name}`, () => {
    let test: TestPeople
    let store = ''
    let stores = 0
    beforeAll(async () => {
      test = await openTestPeople(engine)
    })
    afterAll(() => test.database.close())
    beforeEach(() => {
      store = `store-${String(++stores)}`
    })

    const by = ({ personId }: UsedLink): By => ({ ...OPERATOR, actor: `person:${personId}` })
    const placeOf = ({ personId }: UsedLink) =>
      ({ storeId: store, personId, scope: SANDBOX }) as const
    const invite = async (name: string, role: Role, who = OPERATOR) =>
      await test.people.links.invite(
        { storeId: store, email: `${name}@${store}.example`, role, scope: SANDBOX },
        who,
      )
    const credentials = () => ({ password: PASSWORD, totp: TOTP_SECRET, code: test.nextCode() })
    const join = async (name: string, role: Role, who = OPERATOR): Promise<UsedLink> => {
      const token = tokenOf(await invite(name, role, who))
      const claim = { kind: 'new-person', name, credentials: credentials() } as const
      return used(await test.people.links.use(token, claim, FROM))
    }
    const accessOf = async ({ sessionId = '' }: UsedLink) =>
      (await test.people.find(hashSessionId(sessionId), store))?.access
    const mayRead = async (link: UsedLink) => {
      const access = await accessOf(link)
      if (access === undefined) return []
      const environments = ['production', 'sandbox'] as const
      return environments.filter((each) => may(access, each, 'payments:read'))
    }

    it('see its sandbox alone, also once production has a store of the same id', async () => {
      const rui = await join('rui', 'developer')

      expect(await accessOf(rui)).toMatchObject({ role: 'developer', scope: SANDBOX })
      expect(await mayRead(rui)).toEqual(['sandbox'])
      await addStore(test.database, store)
      expect(await mayRead(rui)).toEqual(['sandbox'])
      expect(await test.people.staff.storesOf(rui.personId)).toEqual([
        { storeId: store, role: 'developer', scope: SANDBOX },
      ])
      expect(await test.people.staff.members(store)).toEqual([])
      const listed = (await test.people.staff.list()).find(({ id }) => id === rui.personId)
      expect(listed?.stores).toEqual([{ storeId: store, role: 'developer', scope: SANDBOX }])
    })

    it('manage the people of the sandbox, and none of production', async () => {
      const ana = await join('ana', 'owner')
      const bia = await join('bia', 'support', by(ana))
      await addStore(test.database, store)
      const theirs = await test.join(store, `cris@${store}.example`, 'support')
      const { links, staff } = test.people
      const invitation = { storeId: store, email: `eva@${store}.example`, role: 'owner' } as const

      expect(await links.invite(invitation, by(ana))).toBe('not-allowed')
      const { personId } = theirs
      expect(await staff.remove({ storeId: store, personId }, by(ana))).toBe('not-allowed')
      expect(await staff.setRole(placeOf(bia), 'finance', by(bia))).toBe('not-allowed')
      expect(await staff.setRole(placeOf(bia), 'finance', by(ana))).toBe('done')
      expect(await staff.members(store, SANDBOX)).toMatchObject([
        { name: 'ana', role: 'owner' },
        { name: 'bia', role: 'finance' },
      ])
    })

    it('are removed by an owner of the store, and never count as its last owner', async () => {
      const ana = await join('ana', 'owner')
      const token = tokenOf(await invite('bia', 'support', by(ana)))
      await addStore(test.database, store)
      const owner = await test.join(store, `dona@${store}.example`, 'owner')
      const { links, staff } = test.people

      expect(await links.open(store)).toEqual([])
      expect(await links.open(store, SANDBOX)).toHaveLength(1)
      expect(await staff.remove(placeOf(ana), by(owner))).toBe('done')
      expect(await mayRead(ana)).toEqual([])
      // The removed person's link no longer works.
      expect(await links.view(token)).toBeUndefined()
      expect(await links.open(store, SANDBOX)).toEqual([])
    })

    it('are in the sandbox by one role alone once they join the store', async () => {
      const rui = await join('rui', 'owner')
      await addStore(test.database, store)
      const email = `rui@${store}.example`
      const { links, staff } = test.people
      const link = tokenOf(await links.invite({ storeId: store, email, role: 'support' }, OPERATOR))
      const session = await test.sessionOf(rui.sessionId)
      if (session === undefined) throw new Error('no session')
      used(await links.use(link, { kind: 'signed-in', session }, FROM))

      expect(await accessOf(rui)).toMatchObject({ role: 'support', scope: 'both' })
      expect(await staff.members(store, SANDBOX)).toEqual([])
      const { personId } = rui
      expect(await staff.remove({ storeId: store, personId }, OPERATOR)).toBe('done')
      expect(await mayRead(rui)).toEqual([])
    })

    it('read the log of the sandbox, and nothing that was done in production', async () => {
      const ana = await join('ana', 'owner')
      await addStore(test.database, store)
      await test.join(store, `dona@${store}.example`, 'owner')
      const { items } = await test.people.acts.list(store, { scope: SANDBOX, limit: 20 })

      expect(new Set(items.map(({ actorName }) => actorName))).toEqual(new Set(['ana', undefined]))
      expect(items.filter(({ storeId }) => storeId === store)).toMatchObject([
        { action: 'joined', environment: SANDBOX, actor: `person:${ana.personId}` },
        { action: 'link-made', environment: SANDBOX, detail: { purpose: 'sandbox-invite' } },
      ])
    })

    it('lose an open invitation, which an owner of the sandbox ends', async () => {
      const ana = await join('ana', 'owner')
      await invite('bia', 'support', by(ana))
      const [link] = await test.people.links.open(store, SANDBOX)
      const stranger = await test.join(await another(), `x@${store}.example`, 'owner')

      expect(await test.people.links.end(store, link?.id ?? '', by(stranger))).toBe('not-allowed')
      expect(await test.people.links.end(store, link?.id ?? '', by(ana))).toBe('done')
      expect(await test.people.links.open(store, SANDBOX)).toEqual([])
    })

    const another = async () => {
      const id = `${store}-of-others`
      await addStore(test.database, id)
      return id
    }
  })
}
