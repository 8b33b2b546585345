import { createSecretKey } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import type { Origin } from '@cofre/people'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codeAt } from '../../../../people/src/people.fixture.js'
import { createGateway, createGatewayCore } from '../../create-gateway.js'
import { MERCHANT, NOW_MS, type TestGateway, openTestGateway } from '../../gateway.fixture.js'
import { findLostSecrets, withdrawLostSecrets } from './lost-secret-sql.js'
import type { SecretKey } from './secret-wrapping.js'

const keyOf = (id: string, fill: number): SecretKey => ({
  id,
  key: new Secret(createSecretKey(Buffer.alloc(32, fill))),
})
const [OLD, NEW] = [keyOf('old', 1), keyOf('new', 2)]
const EMAIL = 'ana@shop.example'
const PASSWORD = new Secret('correct horse 9')
const TOTP = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
const FROM: Origin = { address: '203.0.113.7', browser: 'Firefox', visitId: 'visit' }
const CHEAP = { passwordCost: { log2N: 4, r: 8, p: 1 } }

for (const engine of TEST_ENGINES) {
  describe(`authenticators of people, on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    const machineClock = { now: () => nowMs }
    const gatewayWith = (...secretKeys: [SecretKey, ...SecretKey[]]) =>
      createGateway(
        createGatewayCore({
          ...test.parts,
          ...CHEAP,
          machineClock,
          secretKeys,
          intentRemovals: [],
        }),
      )
    const signIn = (gateway: TestGateway['gateway']) => {
      nowMs += 30_000
      const code = codeAt(nowMs, TOTP)
      return gateway.people.signIn({ email: EMAIL, password: PASSWORD, code, from: FROM })
    }
    beforeEach(async () => {
      nowMs = NOW_MS
      test = await openTestGateway(engine, { ...CHEAP, machineClock, secretKeys: [OLD] })
      const { links } = test.gateway.people
      const link = await links.forFirstOwner(MERCHANT.id, {
        actor: 'start',
        address: '',
        browser: '',
      })
      if (link === undefined) throw new Error('no link')
      const credentials = { password: PASSWORD, totp: TOTP, code: codeAt(nowMs, TOTP) }
      const claim = { kind: 'new-person', name: 'Ana', email: EMAIL, credentials } as const
      expect(await links.use(link.token, claim, FROM)).toHaveProperty('sessionId')
    })
    afterEach(() => test.close())

    it('are wrapped for their person, and again by a key that was put in front', async () => {
      const wrapped = async () =>
        (await test.database.reader.selectFrom('people').select('totp').execute())[0]?.totp
      expect(await wrapped()).toMatch(/^wrapped-v1\.old\./)
      expect(await wrapped()).not.toContain(TOTP.reveal())
      // One secret of the store, one of the person.
      expect(await gatewayWith(NEW, OLD).rewrapSecrets()).toBe(2)
      expect(await wrapped()).toMatch(/^wrapped-v1\.new\./)

      expect(await signIn(gatewayWith(NEW))).toHaveProperty('sessionId')
    })

    it('are given up with the password where their key is lost, and others stay', async () => {
      const { database } = test
      const at = { database, environment: 'production', keys: [NEW], clock: machineClock } as const
      const actor = 'operator:bia'
      expect(await findLostSecrets({ ...at, keys: [OLD] })).toMatchObject({ people: [] })
      expect(await findLostSecrets(at)).toMatchObject({ people: [EMAIL] })
      const lost = await withdrawLostSecrets({ ...at, actor })

      expect(lost.people).toEqual([EMAIL])
      expect(await findLostSecrets(at)).toMatchObject({ people: [] })
      const { people } = gatewayWith(NEW)
      expect(await people.staff.list()).toMatchObject([{ email: EMAIL, hasPassword: false }])
      expect(await signIn(gatewayWith(NEW))).toBe('refused')
      const acts = await database.reader
        .selectFrom('acts')
        .select(['actor', 'target'])
        .where('action', '=', 'credentials-lost')
        .execute()
      const [person] = await people.staff.list()
      expect(acts).toEqual([{ actor, target: person?.id }])
    })
  })
}
