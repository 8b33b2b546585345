import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PixTxid } from '@cofre/provider-kit/bank'
import { OPEN_INTENT_CHECK_AFTER_MS } from '../../../gateway/src/model/transaction/transaction.js'
import { askAfterOpenCharges } from '../../../gateway/src/payment/open-intent-service.js'
import { type PixGateway, accountOf, createFakeBank, openPixGateway } from './pix-bank.fixture.js'
import { sweepAccounts } from './bank-sweep-service.js'
import { readCharges } from './charge-read-service.js'
import { processRefunds } from '../../../gateway/src/payment/refund-service.js'
import { stopTime } from '../../../gateway/src/payment/stopped-time.fixture.js'

const UNAVAILABLE = { status: 503, codes: [90006] }
const KEY = { 'idempotency-key': 'once' }

type FakeBank = ReturnType<typeof createFakeBank>

describe('a PIX of a store with several accounts', () => {
  let pix: PixGateway
  let banks: Readonly<Record<string, FakeBank>>
  let [first, second, third]: FakeBank[] = []
  beforeEach(async () => {
    const now = (): number => pix.time.nowMs
    ;[first, second, third] = [1, 2, 3].map(() => createFakeBank(now))
    banks = { 'bank-1': first!, 'bank-2': second!, 'bank-3': third! }
    pix = await openPixGateway(TEST_SQLITE, { bankOf: ({ id }) => ({ pix: banks[id]!.bank }) })
    for (const id of ['bank-2', 'bank-3'])
      await pix.parts.accounts.create(accountOf(id), ['pix'], 'operator:ana')
  })
  afterEach(() => pix.close())

  const later = async (): Promise<void> => {
    pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS + MINUTE_MS
    await askAfterOpenCharges(pix.parts)
  }
  const detailsOf = async (reference: string) => {
    const found = await pix.find(reference)
    return found && (await pix.details(found.code))
  }
  /** The payable charges, by bank. */
  const live = (): number[] =>
    Object.values(banks).map(
      ({ charges }) => [...charges.values()].filter(({ state }) => state === 'open').length,
    )

  it('goes to the second account when the first is away, and stays there', async () => {
    first!.disturb('openCharge', 'unavailable')
    expect((await pix.create('order-1')).status).toBe(201)
    expect(live()).toEqual([0, 1, 0])
    expect(await detailsOf('order-1')).toMatchObject({
      accountId: 'bank-2',
      name: second!.txid,
      state: 'live',
    })
    expect(pix.logged.join()).toContain('"account":"bank-1"')
    const { code } = (await pix.find('order-1'))!
    second!.pay()
    await pix.gateway.noticeOf('bank-2', [second!.txid])
    pix.time.nowMs += MINUTE_MS
    await readCharges(pix.parts)
    expect(await pix.find('order-1')).toMatchObject({ status: 'COMPLETE' })
    const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
    await pix.test.send('POST', '/refunds', { body })
    await processRefunds(pix.parts)
    expect([first!.refundedMinor(), second!.refundedMinor()]).toEqual([0, 10_000])
    expect(await pix.gateway.bankBacklog()).toMatchObject([
      { accountId: 'bank-1', openPix: 0 },
      { accountId: 'bank-2', openPix: 0 },
    ])
  })

  it('is paid without any notice at the account that it came to', async () => {
    first!.disturb('openCharge', 'unavailable')
    await pix.create('order-1')
    second!.pay()
    pix.time.nowMs += MINUTE_MS
    await sweepAccounts(pix.parts)
    expect(await pix.find('order-1')).toMatchObject({ status: 'COMPLETE' })
  })

  it('goes to the next account when the credentials of the first do not open', async () => {
    await pix.database.transact((trx) =>
      trx
        .updateTable('accounts')
        .set({ sealed: 'wrapped-v1.gone.AAAA.AAAA' })
        .where('id', '=', 'bank-1')
        .execute(),
    )
    expect((await pix.create('order-1')).status).toBe(201)
    expect(live()).toEqual([0, 1, 0])
    expect(pix.logged.join()).toContain('an account cannot be used')
  })

  it('leaves nothing when all banks are unavailable, and logs each reason', async () => {
    for (const bank of Object.values(banks)) bank.disturb('openCharge', 'away-for-a-minute')
    expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
    expect(await pix.find('order-1')).toBeUndefined()
    const txids = await pix.database.reader.selectFrom('charge_names').selectAll().execute()
    expect(txids).toEqual([])
    for (const id of Object.keys(banks)) expect(pix.logged.join()).toContain(`"account":"${id}"`)
    expect((await pix.create('order-1')).status).toBe(201)
    expect(live()).toEqual([1, 0, 0])
  })

  it.each([
    ['is unknown', 'cut-before'],
    ['is unknown and it was booked', 'cut-after'],
    ['is a refusal of the charge', 'refused'],
  ] as const)('asks nobody else when the answer %s', async (_, disturbance) => {
    first!.disturb('openCharge', disturbance)
    first!.disturb('findCharge', 'unavailable')
    expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
    expect([second!.calls, third!.calls]).toEqual([[], []])
    await later()
    expect(live()).toEqual([0, 0, 0])
    expect(await pix.find('order-1')).toBeUndefined()
  })

  it('asks no other bank when an earlier request may have opened the charge', async () => {
    first!.disturb('openCharge', 'cut-after', 'unavailable')
    first!.disturb('findCharge', 'unavailable', 'unavailable')
    expect(await pix.create('order-1', KEY)).toMatchObject(UNAVAILABLE)
    expect(await pix.create('order-1', KEY)).toMatchObject(UNAVAILABLE)
    expect(second!.calls).toEqual([])
    expect((await pix.create('order-1', KEY)).status).toBe(201)
    expect(live()).toEqual([1, 0, 0])
  })

  it('does not believe that nothing happened while an earlier request may be on its way', async () => {
    first!.disturb('openCharge', 'cut-before', 'refused')
    expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
    expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
    const { name: txid } = (await detailsOf('order-1'))!
    // The first request arrives after all.
    await first!.bank.openCharge({
      txid: txid as PixTxid,
      amountMinor: 10_000 as never,
      lifetimeSeconds: 60,
      payerName: '',
      payerDocument: '',
      description: '',
    })
    await later()
    expect(live()).toEqual([0, 0, 0])
    expect(await pix.find('order-1')).toBeUndefined()
  })

  it('asks the next one only while the shop still waits', async () => {
    stopTime()
    const { bank } = first!
    bank.openCharge = () => {
      vi.advanceTimersByTime(10 * SECOND_MS)
      return Promise.resolve({ kind: 'not-sent', cause: 'no-connection', detail: 'no connection' })
    }
    expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
    expect(second!.calls).toEqual([])
    bank.openCharge = () => {
      vi.advanceTimersByTime(9 * SECOND_MS)
      return Promise.resolve({ kind: 'not-sent', cause: 'no-connection', detail: 'no connection' })
    }
    expect((await pix.create('order-1')).status).toBe(201)
    expect(live()).toEqual([0, 1, 0])
  })

  it.each([
    [9, [1, 1]],
    [10, [1, 0]],
    [20, [1, 0]],
  ])('whose gateway took %i s to begin asks its banks %j times', async (seconds, asked) => {
    stopTime()
    first!.disturb('openCharge', 'unavailable')
    const { insertIntent } = pix.parts.transactions
    pix.parts.transactions.insertIntent = async (...intent) => {
      vi.advanceTimersByTime(seconds * SECOND_MS)
      return await insertIntent(...intent)
    }
    await pix.create('order-1')
    expect([first, second].map((bank) => bank!.calls.length)).toEqual(asked)
    expect(live()).toEqual([0, asked[1], 0])
  })

  it.each([
    ['before the next account is written', 'routeOn', 0],
    ['after it was written, before it is asked', 'openCharge', 0],
    ['after the next bank has booked', 'open', 1],
  ] as const)('is charged once when the process ends %s', async (_, where, booked) => {
    first!.disturb('openCharge', 'unavailable')
    const killed = (): never => {
      throw new Error('killed')
    }
    const { bankCharges, transactions } = pix.parts
    const bank = second!.bank
    const whole = [{ ...bankCharges }, { ...transactions }, { ...bank }] as const
    if (where === 'openCharge') bank.openCharge = killed
    else bankCharges[where] = killed
    // A dead process does not clean up.
    transactions.withdrawIntent = killed
    bankCharges.doubt = killed
    await pix.create('order-1', KEY)
    for (const [i, part] of [bankCharges, transactions, bank].entries())
      Object.assign(part, whole[i])
    expect(await pix.find('order-1')).toMatchObject({ open: true })
    expect(live()).toEqual([0, booked, 0])
    await later()
    expect(live()).toEqual([0, 0, 0])
    expect(await pix.find('order-1')).toBeUndefined()
    expect((await pix.create('order-1')).status).toBe(201)
    expect(live()).toEqual([1, 0, 0])
  })

  it('is finished at the second account by the same request after a crash', async () => {
    first!.disturb('openCharge', 'unavailable')
    const { open } = pix.parts.bankCharges
    pix.parts.bankCharges.open = () => Promise.reject(new Error('killed'))
    expect(await pix.create('order-1', KEY)).toMatchObject({ status: 500 })
    pix.parts.bankCharges.open = open
    expect((await pix.create('order-1', KEY)).status).toBe(201)
    expect(live()).toEqual([0, 1, 0])
    expect(second!.charges.size).toBe(1)
  })

  it('is not shown by a request while an earlier one asks the second account', async () => {
    const { open, routeOn } = pix.parts.bankCharges
    pix.parts.bankCharges.open = () => Promise.reject(new Error('killed'))
    expect(await pix.create('order-1', KEY)).toMatchObject({ status: 500 })
    pix.parts.bankCharges.open = open
    const { code } = (await pix.find('order-1'))!
    const next = {
      accountId: 'bank-2',
      method: 'pix',
      name: 'b'.repeat(32) as PixTxid,
      dueDate: undefined,
      askedAtMs: pix.time.nowMs,
    } as const
    const real = { ...first!.bank }
    first!.bank.findCharge = async (...given) => {
      expect(await routeOn(code, next)).toBe(true)
      return await real.findCharge(...given)
    }
    expect(await pix.create('order-1', KEY)).toMatchObject(UNAVAILABLE)
    expect(await detailsOf('order-1')).toMatchObject({ name: next.name, state: 'asked' })
    expect(live()).toEqual([0, 0, 0])
  })

  it('is not routed on when a worker has given it up meanwhile', async () => {
    const { bank } = first!
    bank.openCharge = async () => {
      pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS
      first!.disturb('removeCharge', 'unavailable')
      await askAfterOpenCharges(pix.parts)
      pix.time.nowMs -= OPEN_INTENT_CHECK_AFTER_MS
      return { kind: 'not-sent', cause: 'no-connection', detail: 'no connection' }
    }
    expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
    expect(second!.calls).toEqual([])
  })
})
