import { Secret } from '@cofre/contracts'
import type { ProviderAccount } from '@cofre/gateway'
import { beforeEach, describe, expect, it } from 'vitest'
import { BANK_TOOLS, madeUpProvider, testAccount } from './account.fixture.js'
import { type BankConnections, createBankConnections } from './bank-connections.js'

describe('The connections of a process to banks', () => {
  let bank: ReturnType<typeof madeUpProvider>
  let banks: BankConnections
  beforeEach(() => {
    bank = madeUpProvider()
    const providers = () => Promise.resolve([bank.provider])
    banks = createBankConnections({ tools: BANK_TOOLS, providers })
  })

  const withCredentials = (text: string, over: Partial<ProviderAccount> = {}): ProviderAccount => {
    const { secrets } = testAccount()
    return testAccount({ secrets: { ...secrets, credentials: new Secret(text) }, ...over })
  }

  it('are one for each account, however often and at once it is asked for', async () => {
    const [one, same] = await Promise.all([banks.of(testAccount()), banks.of(testAccount())])
    const renamed = testAccount({ label: 'Another name', disabledAtMs: 1 })
    expect([same, await banks.of(renamed)]).toEqual([one, one])
    await banks.of(testAccount({ id: 'account-2' }))
    expect(bank.opened).toHaveLength(2)
  })

  it.each([
    ['credentials', () => withCredentials('rotated')],
    ['settings', () => testAccount({ settings: { profile: 'another' } })],
  ])('are made anew, and the old one is closed, when the %s change', async (_, changed) => {
    const before = await banks.of(testAccount())
    const after = await banks.of(changed())
    expect(after).not.toBe(before)
    expect(await banks.of(changed())).toBe(after)
    expect(bank.closed).toEqual(['the credentials'])
  })

  it('give gateways the bank of the account as it is', async () => {
    expect(await banks.bankOf(testAccount())).toMatchObject({
      receiver: { name: 'the credentials' },
    })
    expect(await banks.bankOf(withCredentials('rotated'))).toMatchObject({
      receiver: { name: 'rotated' },
    })
  })

  it('are tried anew after a failure', async () => {
    await expect(banks.of(withCredentials(''))).rejects.toThrow('not one of ours')
    await expect(banks.of(withCredentials(''))).rejects.toThrow('not one of ours')
    await banks.of(testAccount())
    expect(bank.opened).toEqual(['the credentials'])
  })

  it.each([
    ['a provider that nobody has written', { provider: 'bank-of-nowhere' }, 'bank-of-nowhere'],
    ['a simulator, where none is played', { kind: 'simulator' as const }, 'npm start alone'],
  ])('are not made for %s', async (_, over, said) => {
    await expect(banks.of(testAccount(over))).rejects.toThrow(said)
  })

  it('all end with the process', async () => {
    await banks.of(testAccount())
    await banks.of(withCredentials('others', { id: 'account-2' }))
    await expect(banks.of(withCredentials('', { id: 'account-3' }))).rejects.toThrow()
    await banks.close()
    expect(bank.closed).toEqual(['the credentials', 'others'])
  })
})
