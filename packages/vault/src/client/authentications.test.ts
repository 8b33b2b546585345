import { randomBytes } from 'node:crypto'
import { answeredSchema } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServiceRoutes } from '../http/service-routes.js'
import { type TestVault, openTestVault, orderFor, paymentNamed } from '../vault.fixture.js'
import { openServiceNetwork } from './service-network.fixture.js'
import { parseServiceKeys } from './service-key.js'
import { type VaultClient, createVaultClient } from './vault-client.js'

const KEYS = parseServiceKeys(`k1:${randomBytes(32).toString('base64url')}`)
const ACTION = { method: 'GET', url: 'https://bank.example/ask', fields: {} } as const
const RETURN_URL = 'https://pay.example/a/AbCdEfGhIjKlMnOp/return'
const APPROVED = {
  kind: 'done',
  value: { outcome: 'approved', payment: paymentNamed('p1'), surplus: [] },
} as const
const DECLINE = { reason: 'authentication_required', retry: { kind: 'never' } } as const

const MOST = new Map([
  ['hipercard', 0],
  ['diners', 1],
])
const installmentsFor = ({ brand }: { readonly brand: string }) => Promise.resolve(MOST.get(brand))

describe('a gateway elsewhere whose payer is authenticated', () => {
  let test: TestVault
  let network: Awaited<ReturnType<typeof openServiceNetwork>>
  let client: VaultClient
  beforeEach(async () => {
    test = await openTestVault(TEST_SQLITE)
    network = await openServiceNetwork(() =>
      createServiceRoutes({ ...test.vault, installmentsFor }, { ...test, keys: KEYS }),
    )
    client = createVaultClient({ url: network.url, keys: KEYS, clock: test.clock })
    // Like a connector, which sends no payer to the bank without a page to return to.
    const authorize = test.acquirer.authorize.bind(test.acquirer)
    test.acquirer.authorize = async (request) => {
      test.acquirer.answers = [
        request.authenticationReturnUrl === undefined
          ? { kind: 'done', value: { outcome: 'declined', decline: DECLINE, payment: undefined } }
          : { kind: 'done', value: { outcome: 'authenticate', action: ACTION } },
      ]
      return await authorize(request)
    }
  })
  afterEach(async () => {
    client.close()
    await network.close()
    await test.database.close()
  })

  const asked = async (changes = {}) => {
    const order = orderFor(await test.deposit(), {
      authenticationReturnUrl: RETURN_URL,
      ...changes,
    })
    const { environment, transactionCode } = order
    return { order, key: { environment, transactionCode }, answer: await client.authorize(order) }
  }

  it.each([
    ['hipercard', 0],
    ['diners', 1],
    ['visa', undefined],
  ])('hears in how many installments a store charges %s: %s', async (brand, most) => {
    const order = { environment: 'production', merchantId: 'store-1', brand } as const
    expect(await client.installmentsFor?.(order)).toBe(most)
  })

  it('learns where the payer goes, and the outcome', async () => {
    const { order, key, answer } = await asked()
    expect(answer).toMatchObject({ outcome: 'pending', authentication: { action: ACTION } })
    expect(await client.authenticate(key)).toEqual(answer)
    expect(await client.recallAuthorization(key.environment, key.transactionCode)).toEqual(answer)
    expect(await client.hasArrived(key.environment, key.transactionCode)).toBe(true)
    expect(await client.hasArrived(key.environment, '2')).toBe(false)
    test.acquirer.completions = [APPROVED]
    const result = 'r'.repeat(20_000)
    expect(await client.authenticate({ ...key, result })).toMatchObject({ outcome: 'approved' })
    expect(await client.authorize(order)).toMatchObject({ outcome: 'approved' })
    expect(await client.authenticate({ ...key, transactionCode: '1' })).toBeUndefined()
  })

  it('asks once where the first answer is lost on its way', async () => {
    const { key } = await asked()
    test.acquirer.completions = [APPROVED]
    const { interfere } = network
    network.interfere = () => {
      network.interfere = interfere
      return Promise.resolve('cut')
    }
    expect(await client.authenticate({ ...key, result: 'r' })).toMatchObject({
      outcome: 'approved',
    })
  })

  it('gets no answer that a release before cannot read, where it is of that release', async () => {
    const { key, answer } = await asked({ authenticationReturnUrl: undefined })
    expect(answer).toMatchObject({ outcome: 'declined', decline: DECLINE })
    // All that an earlier release knows of answers.
    const known = answeredSchema.omit({ authentication: true })
    for (const given of [answer, await client.authenticate(key)])
      expect(known.safeParse(given)).toMatchObject({ success: true })
    const newer = await asked()
    expect(known.safeParse(newer.answer).success).toBe(false)
  })
})
