import type { ProviderAccount } from '@cofre/provider-kit/account'
import { MINUTE_MS, Secret, minorUnits } from '@cofre/contracts'
import type { PixTxid } from '@cofre/provider-kit/bank'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
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

  it('are one for each account, however often and at once it is requested', async () => {
    const [one, same] = await Promise.all([banks.of(testAccount()), banks.of(testAccount())])
    const renamed = testAccount({ label: 'Another name', disabledAtMs: 1 })
    expect([same, await banks.of(renamed)]).toEqual([one, one])
    await banks.of(testAccount({ id: 'account-2' }))
    expect(bank.opened).toHaveLength(2)
  })

  it.each([
    ['credentials', () => withCredentials('rotated')],
    ['settings', () => testAccount({ settings: { profile: 'another' } })],
  ])(
    'are made anew, and the old one is closed a minute later, when %s change',
    async (_, changed) => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const before = await banks.of(testAccount())
      const after = await banks.of(changed())
      expect(after).not.toBe(before)
      expect(await banks.of(changed())).toBe(after)
      expect(bank.closed).toEqual([])
      await vi.advanceTimersByTimeAsync(MINUTE_MS)
      expect(bank.closed).toEqual(['the credentials'])
    },
  )

  it('give gateways the bank of the account as it is', async () => {
    expect(await banks.bankOf(testAccount())).toMatchObject({
      pix: { receiver: { name: 'the credentials' } },
    })
    expect(await banks.bankOf(withCredentials('rotated'))).toMatchObject({
      pix: { receiver: { name: 'rotated' } },
    })
  })

  it('are tried again after a failure', async () => {
    await expect(banks.of(withCredentials(''))).rejects.toThrow('not one of ours')
    await expect(banks.of(withCredentials(''))).rejects.toThrow('not one of ours')
    await banks.of(testAccount())
    expect(bank.opened).toEqual(['the credentials'])
  })

  it('are not made for an unknown provider', async () => {
    const account = testAccount({ provider: 'bank-of-nowhere' })
    await expect(banks.of(account)).rejects.toThrow('bank-of-nowhere')
  })

  it('of an account without its simulator know no charges, and move no money', async () => {
    const { pix } = await banks.bankOf(testAccount({ kind: 'simulator' }))
    const refund = { endToEndId: 'e2e', refundId: 'r', amountMinor: minorUnits(100) }
    const txid = 'a'.repeat(32) as PixTxid
    const answers = await Promise.all([
      pix!.listPayments({ fromMs: 0, toMs: 1 }, 0),
      pix!.findCharge(txid, 'background'),
      pix!.findRefund(refund),
      pix!.refund(refund),
    ])
    expect(answers).toMatchObject([
      { kind: 'done', value: { payments: [] } },
      { kind: 'absent' },
      { kind: 'absent' },
      { kind: 'refused', detail: 'npm start alone plays the provider of this account' },
    ])
    expect(bank.opened).toEqual([])
  })

  it('all end with the process', async () => {
    await banks.of(testAccount())
    await banks.of(withCredentials('others', { id: 'account-2' }))
    await expect(banks.of(withCredentials('', { id: 'account-3' }))).rejects.toThrow()
    await banks.close()
    expect(bank.closed).toEqual(['the credentials', 'others'])
  })
})
