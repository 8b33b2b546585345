import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { AcquirerProvider } from '@cofre/provider-kit/card'
import { MINUTE_MS, Secret } from '@cofre/contracts'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { BANK_TOOLS, testAccount } from './account.fixture.js'
import { type AcquirerConnections, createAcquirerConnections } from './acquirer-connections.js'
import { unsimulatedAcquirer } from './unsimulated-providers.js'

/** The part of a request that a test needs. */
const asked = (request: object) => request as never

describe('The days for a capture', () => {
  const { captureDaysOf } = createAcquirerConnections({ tools: BANK_TOOLS })

  it.each([
    ['of Adyen, by the brand', 'adyen', 'visa', {}, 5],
    ['of Adyen, for brands without their own', 'adyen', 'mastercard', {}, 7],
    ['of Cielo', 'cielo', 'visa', {}, 7],
    ['of the account’s contract, at Adyen', 'adyen', 'visa', { captureDays: '10' }, 10],
    ['of the account’s contract, one at least', 'cielo', 'visa', { captureDays: '1' }, 1],
    ['of the account’s contract, 29 at most', 'cielo', 'visa', { captureDays: '29' }, 29],
    ['of Cielo, if the stored ones are out of range', 'cielo', 'elo', { captureDays: '30' }, 7],
    ['unknown of an unknown provider', 'made-up', 'visa', { captureDays: '5' }, undefined],
  ])('are %s', async (_, provider, brand, settings, days) => {
    const account = { provider, settings: JSON.stringify(settings) }
    expect(await captureDaysOf(account, brand)).toBe(days)
  })
})

describe('The connections of a process to acquirers', () => {
  let opened: string[]
  let closed: string[]
  let loaded: number
  let acquirers: AcquirerConnections

  const provider: AcquirerProvider = {
    name: 'made-up',
    methods: ['card'],
    profiles: [],
    rules: [],
    questions: () => [],
    installmentsOf: () => 0,
    readAccount: () => {
      throw new Error('nobody enters one')
    },
    connect({ id }) {
      opened.push(id)
      const { acquirer, ...rest } = unsimulatedAcquirer()
      return {
        ...rest,
        acquirer: {
          ...acquirer,
          close() {
            closed.push(id)
            return Promise.resolve()
          },
        },
      }
    },
  }

  beforeEach(() => {
    opened = []
    closed = []
    loaded = 0
    acquirers = createAcquirerConnections({
      tools: BANK_TOOLS,
      providers: () => {
        loaded++
        return Promise.resolve([provider])
      },
    })
  })

  it('load no provider before an account needs one', async () => {
    expect(loaded).toBe(0)
    await acquirers.of(testAccount())
    expect(loaded).toBe(1)
  })

  it('leave no days for a capture at an acquirer that captures at once', async () => {
    const account = { provider: provider.name, settings: '{"captureDays":"5"}' }
    expect(await acquirers.captureDaysOf(account, 'visa')).toBeUndefined()
  })

  it('are one for each account until its credentials change, and all end with the process', async () => {
    const before = await acquirers.of(testAccount())
    expect(await acquirers.of(testAccount())).toBe(before)
    const { secrets } = testAccount()
    const rotated: ProviderAccount = testAccount({
      secrets: { ...secrets, credentials: new Secret('rotated') },
    })
    expect(await acquirers.of(rotated)).not.toBe(before)
    await acquirers.of(testAccount({ id: 'account-2' }))
    await acquirers.close()
    expect(opened).toEqual(['account-1', 'account-1', 'account-2'])
    expect(closed).toEqual(['account-1', 'account-1', 'account-2'])
  })

  it('stay open a minute for their users after credentials change', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { secrets } = testAccount()
    const rotated = testAccount({ secrets: { ...secrets, credentials: new Secret('rotated') } })
    await acquirers.of(testAccount())
    await acquirers.of(rotated)
    // Requested by a payment that read the account before the change.
    await acquirers.of(testAccount())
    await vi.advanceTimersByTimeAsync(MINUTE_MS - 1)
    expect(closed).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(closed).toEqual(['account-1', 'account-1'])
    await acquirers.close()
    expect(closed).toHaveLength(opened.length)
  })

  it('of an account without its simulator charge nothing and refund nothing', async () => {
    const { acquirer, notices } = await acquirers.of(testAccount({ kind: 'simulator' }))
    const earlier = { firstAtMs: 0, absentSinceMs: undefined }
    const answers = await Promise.all([
      acquirer.authorize(asked({ earlier: undefined })),
      acquirer.authorize(asked({ earlier })),
      acquirer.refund(asked({})),
      acquirer.cancel(asked({})),
      acquirer.find?.(asked({})),
    ])
    expect(answers.map((answer) => answer?.kind)).toEqual([
      'not-sent',
      'unknown',
      'done',
      'done',
      'absent',
    ])
    expect(answers.slice(2, 4)).toMatchObject([
      { value: { state: 'refused' } },
      { value: { state: 'done' } },
    ])
    expect(notices.read({})).toEqual({ kind: 'none' })
    expect(opened).toEqual([])
    await acquirer.close()
  })
})
