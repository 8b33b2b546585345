import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { By, LinkResult, UsedLink } from './people.js'
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

for (const engine of TEST_ENGINES) {
  describe(`an e-mail, on ${engine.name}`, () => {
    let test: TestPeople
    let [store, other, email, owner] = ['', '', '', '']
    let stores = 0
    let by: By
    beforeAll(async () => {
      test = await openTestPeople(engine)
    })
    afterAll(() => test.database.close())
    beforeEach(async () => {
      stores += 1
      ;[store, other] = [`store-${String(stores)}`, `other-${String(stores)}`]
      ;[email, owner] = [`maria@${store}.example`, `ana@${store}.example`]
      await addStore(test.database, store)
      await addStore(test.database, other)
      const { personId } = await test.join(store, owner, 'owner')
      by = { ...OPERATOR, actor: `person:${personId}` }
    })

    const invite = async (way?: 'letter', who = by, to = store) => {
      const made = await test.people.links.invite({ storeId: to, email, role: 'support', way }, who)
      if (typeof made === 'string') throw new Error(made)
      return made.token
    }
    const useAsNew = (token: Awaited<ReturnType<typeof invite>>): Promise<LinkResult> => {
      const credentials = { password: PASSWORD, totp: TOTP_SECRET, code: test.nextCode() }
      return test.people.links.use(token, { kind: 'new-person', name: 'Maria', credentials }, FROM)
    }
    const personOf = async ({ personId }: UsedLink) =>
      (await test.people.staff.list()).find(({ id }) => id === personId)
    const signIn = () =>
      test.people.signIn({ email, password: PASSWORD, code: test.nextCode(), from: FROM })

    it('is proved by a link that was sent to it, and by an operator, not by one handed over', async () => {
      const unproved = used(await useAsNew(await invite()))
      expect(await personOf(unproved)).toMatchObject({ email, isEmailProved: false })
      email = `letter-${email}`
      const byLetter = used(await useAsNew(await invite('letter')))
      expect(await personOf(byLetter)).toMatchObject({ email, isEmailProved: true })
      email = `operator-${email}`
      const byOperator = used(await useAsNew(await invite(undefined, OPERATOR)))
      expect(await personOf(byOperator)).toMatchObject({ email, isEmailProved: true })
    })

    it('is no longer a name to sign in with of who never proved it, once another did', async () => {
      const squatter = used(await useAsNew(await invite()))
      const session = await test.sessionOf(squatter.sessionId)
      const token = await invite('letter', by, store)
      expect(await test.people.links.view(token)).toMatchObject({
        isForKnownPerson: true,
        mayTakeEmail: true,
      })
      const maria = used(await useAsNew(token))

      expect(maria.taken).toEqual({ email, owners: [{ storeId: store, email: owner }] })
      expect(maria.personId).not.toBe(squatter.personId)
      expect(session).toBeDefined()
      expect(await test.sessionOf(squatter.sessionId)).toBeUndefined()
      expect(await signIn()).toMatchObject({ personId: maria.personId })
      expect(await personOf(squatter)).toMatchObject({
        email: squatter.personId,
        formerEmail: email,
        stores: [{ storeId: store, role: 'support' }],
      })
      const acts = await test.people.acts.list(store, { limit: 1, action: 'email-lost' })
      expect(acts.items).toMatchObject([{ target: squatter.personId, detail: { email } }])
    })

    it('stays with who proved it', async () => {
      used(await useAsNew(await invite('letter')))
      const token = await invite('letter')
      expect(await test.people.links.view(token)).toMatchObject({ mayTakeEmail: false })
      expect(await useAsNew(token)).toBe('known-email')
    })

    it('is not lost to a link that proves nothing', async () => {
      used(await useAsNew(await invite()))
      const token = await invite()
      expect(await test.people.links.view(token)).toMatchObject({ mayTakeEmail: false })
      expect(await useAsNew(token)).toBe('known-email')
    })

    it('is proved by who signs in to accept, and by a forgotten password’s letter', async () => {
      const link = used(await useAsNew(await invite()))
      const session = await test.sessionOf(link.sessionId)
      if (session === undefined) throw new Error('no session')
      const token = await invite('letter')
      used(await test.people.links.use(token, { kind: 'signed-in', session }, FROM))
      expect(await personOf(link)).toMatchObject({ isEmailProved: true })

      email = `second-${email}`
      const second = used(await useAsNew(await invite()))
      const letter = await test.people.links.forgotten(email, FROM)
      if (letter === undefined) throw new Error('no letter')
      const code = test.nextCode()
      const claim = { kind: 'password', password: PASSWORD, code } as const
      used(await test.people.links.use(letter.token, claim, FROM))
      expect(await personOf(second)).toMatchObject({ isEmailProved: true })
    })

    it('is given by an operator to who lost its own', async () => {
      const squatter = used(await useAsNew(await invite()))
      used(await useAsNew(await invite('letter')))
      const { staff } = test.people
      const person = squatter.personId
      expect(await staff.rename({ person, email: 'none' }, OPERATOR)).toBe('bad-email')
      expect(await staff.rename({ person, email }, OPERATOR)).toBe('email-taken')
      expect(await staff.rename({ person: 'per_x', email }, OPERATOR)).toBe('not-found')
      email = `new-${email}`
      expect(await staff.rename({ person, email }, OPERATOR)).toBe('done')
      expect(await personOf(squatter)).toMatchObject({ email, isEmailProved: true })
      expect(await signIn()).toMatchObject({ personId: person })
    })

    it('is invited until an owner ends the invitation', async () => {
      const token = await invite()
      const [link] = await test.people.links.open(store)
      const end: typeof test.people.links.end = (...of) => test.people.links.end(...of)
      expect(await end(other, link?.id ?? '', OPERATOR)).toBe('not-found')
      expect(await end(store, link?.id ?? '', { ...by, actor: 'person:per_none' })).toBe(
        'not-allowed',
      )
      expect(await end(store, link?.id ?? '', by)).toBe('done')

      expect(await useAsNew(token)).toBe('gone')
      const acts = await test.people.acts.list(store, { limit: 1, action: 'link-ended' })
      expect(acts.items).toMatchObject([
        { actor: by.actor, detail: { purpose: 'invite', email, role: 'support' } },
      ])
    })
  })
}
