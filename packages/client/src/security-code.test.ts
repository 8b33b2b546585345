import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeVault, status } from '../test/fake-vault.js'
import { PaymentMethod, createSecurityCodeToken } from './index.js'

let vault: FakeVault

beforeEach(() => {
  vault = new FakeVault()
  vi.stubGlobal('fetch', vault.fetch)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const open = (): PaymentMethod => new PaymentMethod({ baseUrl: vault.baseUrl, store: '5F7A' })

it.each([
  ['012', '012'],
  [' 7 3 7 ', '737'],
  [1234, '1234'],
])('the code %j is deposited alone, for one store', async (typed, cvv) => {
  const token = await createSecurityCodeToken(open(), typed)
  expect(vault.cards.get(token)).toEqual({ cvv, store: '5F7A' })
  expect(vault.requests.map(({ body }) => body).join()).not.toContain('"cvv"')
})

it('its token is as long as a card’s', async () => {
  const paymentMethod = open()
  const expiration = { month: '12', year: '2040' }
  const card = { creditCard: '4111111111111111', cvv: '737', expiration }
  const lengths = [
    await createSecurityCodeToken(paymentMethod, '737'),
    await paymentMethod.createDirectToken(card),
  ].map((token) => token.split('.').at(-2)?.length)
  expect(new Set(lengths).size).toBe(1)
})

it.each(['', '12', '12345', 'abc', undefined as unknown as string])(
  'the code %j is refused before it is sent',
  async (typed) => {
    await expect(createSecurityCodeToken(open(), typed)).rejects.toMatchObject({
      code: 'creditcard_invalid_fields',
      fields: ['cvv'],
    })
    expect(vault.requestsTo('/direct-tokens')).toEqual([])
  },
)

it.each([
  [400, 'credit_card_internal_error'],
  [422, 'creditcard_invalid_fields'],
] as const)('the vault’s answer %d is the error %s', async (answer, code) => {
  vault.depositFaults.push(status(answer))
  await expect(createSecurityCodeToken(open(), '737')).rejects.toMatchObject({ code })
})
