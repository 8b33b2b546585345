import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beginDeadline } from '@cofre/work'
import {
  createTransaction,
  readTransactionRequest,
} from '../../../gateway/src/payment/transaction-service.js'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MERCHANT, railRequest } from '../../../gateway/src/gateway.fixture.js'
import { withBankParts } from '../banks.fixture.js'
import { crc16, pixCode } from '@cofre/provider-kit/bank'
import { OPEN_INTENT_CHECK_AFTER_MS } from '../../../gateway/src/model/transaction/transaction.js'
import { askAfterOpenCharges } from '../../../gateway/src/payment/open-intent-service.js'
import type { Disturbance } from './bank-calls.fixture.js'
import { type BankCall, type PixGateway, accountOf, openPixGateway } from './pix-bank.fixture.js'
import { stopTime } from '../../../gateway/src/payment/stopped-time.fixture.js'

const KEY = { 'idempotency-key': 'one' }
/** Time after the opening when a charge can no longer be paid. */
const END_MS = DAY_MS + 5 * MINUTE_MS
const UNAVAILABLE = { status: 503, codes: [90006] }

interface Creation {
  readonly transaction: { readonly code: string; readonly 'payment-code': string }
}

for (const engine of TEST_ENGINES) {
  describe(`a PIX at the bank of an account, on ${engine.name}`, () => {
    let pix: PixGateway
    beforeEach(async () => {
      pix = await openPixGateway(engine)
    })
    afterEach(() => pix.close())

    const later = async (): Promise<void> => {
      pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS
      await askAfterOpenCharges(pix.parts)
    }
    const liveAtBank = (): number =>
      [...pix.bank.charges.values()].filter(({ state }) => state === 'open').length

    it('shows a code that pays its charge, and is written down with its account', async () => {
      const { status, json } = await pix.create('order-1')
      const { bank } = pix
      const { transaction } = json as unknown as Creation
      expect(status).toBe(201)
      expect(transaction['payment-code']).toContain(`pix.example.com/qr/v2/${bank.txid}`)
      expect(bank.txid).toMatch(/^[a-z2-7]{32}$/)
      expect(bank.charges.get(bank.txid)).toMatchObject({ amountMinor: 10_000, state: 'open' })
      const found = await pix.find('order-1')
      expect(found).toMatchObject({ status: 'PENDING', open: false, expiresAtMs: undefined })
      expect(await pix.details(found!.code)).toMatchObject({
        accountId: 'bank-1',
        name: bank.txid,
        state: 'live',
        payments: [],
      })
      expect(bank.calls).toEqual(['openCharge'])
    })

    it('is not withdrawn by two workers at once, nor twice', async () => {
      pix.bank.disturb('openCharge', 'cut-before')
      await pix.create('order-1')
      pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS + MINUTE_MS
      await Promise.all([askAfterOpenCharges(pix.parts), askAfterOpenCharges(pix.parts)])
      expect(pix.bank.calls.filter((call) => call === 'removeCharge')).toHaveLength(1)
    })

    // The rest are rules of the service; other suites run its statements on PostgreSQL.
    if (engine.name === 'postgres') return

    it('shows the code of the bank when it is right', async () => {
      const { answers } = pix.bank.settings
      const location = 'bank.example/v2/1'
      const code = pixCode({
        location,
        receiverName: 'As the bank writes it',
        receiverCity: 'Brasilia',
        amountMinor: minorUnits(10_000),
      })
      Object.assign(answers, { location, code })
      const { json } = await pix.create('order-1')
      expect((json as unknown as Creation).transaction['payment-code']).toBe(code)
    })

    it.each([
      ['names another location', { code: codeAt('thief.example/1') }],
      ['names another amount', { amountMinor: minorUnits(1) }],
      ['has neither code nor location', { location: undefined }],
    ])('is removed at the bank when the answer %s', async (_, answers) => {
      Object.assign(pix.bank.settings.answers, answers)
      expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
      expect(liveAtBank()).toBe(0)
      expect(await pix.find('order-1')).toBeUndefined()
      pix.bank.settings.answers = {}
      expect(await pix.create('order-1')).toMatchObject({ status: 201 })
    })

    it('goes to the first account that is enabled', async () => {
      const { accounts } = pix.parts
      await accounts.create(accountOf('bank-2'), ['pix'], 'operator:ana')
      await accounts.disable('bank-1', 'operator:ana')
      await pix.create('order-1')
      const { code } = (await pix.find('order-1'))!
      expect(await pix.details(code)).toMatchObject({ accountId: 'bank-2' })
    })

    it('is no method of a store without an enabled account', async () => {
      await pix.parts.accounts.disable('bank-1', 'operator:ana')
      expect(await pix.create('order-1')).toMatchObject({ status: 422, codes: [210601] })
      expect(await pix.find('order-1')).toBeUndefined()
      expect(pix.bank.calls).toEqual([])
    })

    const disturb = (calls: readonly [BankCall, Disturbance][]): void => {
      for (const [call, disturbance] of calls) pix.bank.disturb(call, disturbance)
    }

    it('is searched by its reference only if another order may have it', async () => {
      const { findByReference } = pix.parts.transactions
      const sought: string[] = []
      pix.parts.transactions.findByReference = (merchantId, reference) => {
        sought.push(reference)
        return findByReference(merchantId, reference)
      }
      expect(await pix.create('order-1')).toMatchObject({ status: 201 })
      expect(sought).toEqual([])
      pix.bank.disturb('openCharge', 'cut-before')
      expect(await pix.create('order-2')).toMatchObject(UNAVAILABLE)
      expect(sought).toEqual([])
      expect(await pix.create('order-2')).toMatchObject({ status: 201 })
      expect(sought).toContain('order-2')
    })

    it('is finished by the same request though its account was disabled meanwhile', async () => {
      pix.bank.disturb('openCharge', 'cut-before')
      expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
      const { name: txid } = (await pix.details((await pix.find('order-1'))!.code))!
      await pix.parts.accounts.disable('bank-1', 'operator:ana')
      expect(await pix.create('order-1')).toMatchObject({ status: 201 })
      expect([...pix.bank.charges.keys()]).toEqual([txid])
    })

    it('stays until the bank confirms its removal', async () => {
      disturb([
        ['openCharge', 'cut-after'],
        ['findCharge', 'cut-after'],
      ])
      await pix.create('order-1')
      pix.bank.disturb('removeCharge', 'unavailable', 'cut-before', 'cut-after')
      for (let round = 0; round < 3; round++) {
        await later()
        expect(await pix.find('order-1')).toMatchObject({ open: true })
        pix.time.nowMs += HOUR_MS
      }
      await later()
      expect(await pix.find('order-1')).toBeUndefined()
    })

    it("that its bank refuses to remove is abandoned once it can't be paid", async () => {
      disturb([
        ['openCharge', 'cut-after'],
        ['findCharge', 'cut-after'],
      ])
      await pix.create('order-1')
      pix.bank.bank.removeCharge = () => Promise.resolve({ kind: 'refused', detail: 'no' })
      await later()
      pix.time.nowMs += END_MS - 3 * MINUTE_MS
      await later()
      expect(await pix.find('order-1')).toMatchObject({ open: true })
      pix.time.nowMs += HOUR_MS
      await later()
      expect(await pix.find('order-1')).toBeUndefined()
      expect(pix.logged.join()).toContain('its life is over')
    })

    it('is asked to be removed at growing pauses, up to an hour', async () => {
      pix.bank.disturb('openCharge', 'cut-before')
      await pix.create('order-1')
      const asked: number[] = []
      pix.bank.bank.removeCharge = () => {
        asked.push(pix.time.nowMs)
        return Promise.resolve({ kind: 'refused', detail: 'no' })
      }
      for (let minute = 0; minute < 360; minute++) {
        pix.time.nowMs += MINUTE_MS
        await askAfterOpenCharges(pix.parts)
      }
      const pauses = asked.slice(1).map((atMs, i) => (atMs - asked[i]!) / MINUTE_MS)
      expect(pauses).toEqual([2, 2, 4, 8, 16, 32, 60, 60, 60, 60])
    })

    it('that lives longer at its bank than requested is not abandoned earlier', async () => {
      disturb([
        ['openCharge', 'cut-after'],
        ['findCharge', 'cut-after'],
      ])
      await pix.create('order-1')
      pix.bank.charges.get(pix.bank.txid)!.expiresAtMs += DAY_MS
      pix.bank.bank.removeCharge = () => Promise.resolve({ kind: 'refused', detail: 'no' })
      await later()
      pix.time.nowMs += END_MS
      await later()
      expect(await pix.find('order-1')).toMatchObject({ open: true })
      pix.time.nowMs += DAY_MS
      await later()
      expect(await pix.find('order-1')).toBeUndefined()
    })

    it('that was paid in the end though it was refused to be removed is recorded', async () => {
      disturb([
        ['openCharge', 'cut-after'],
        ['findCharge', 'cut-after'],
      ])
      await pix.create('order-1')
      pix.bank.bank.removeCharge = () => Promise.resolve({ kind: 'refused', detail: 'no' })
      await later()
      pix.bank.pay()
      pix.time.nowMs += END_MS
      await later()
      const found = (await pix.find('order-1'))!
      expect(found).toMatchObject({ status: 'CANCELLED', open: false })
      expect((await pix.details(found.code))?.payments).toHaveLength(1)
    })

    it("is abandoned at its end even if the account's credentials cannot be decrypted", async () => {
      pix.bank.disturb('openCharge', 'cut-before')
      await pix.create('order-1')
      await pix.database.transact((trx) =>
        trx.updateTable('accounts').set({ sealed: 'wrapped-v1.gone.AAAA.AAAA' }).execute(),
      )
      await later()
      expect(await pix.find('order-1')).toMatchObject({ open: true })
      expect(pix.logged.join()).toMatch(/a charge is not removed yet.*an account cannot be used/)
      pix.time.nowMs += END_MS
      await later()
      expect(await pix.find('order-1')).toBeUndefined()
    })

    it('is not requested again once its removal has begun', async () => {
      pix.parts.bankCharges.open = () => Promise.reject(new Error('killed'))
      expect(await pix.create('order-1', KEY)).toMatchObject({ status: 500 })
      pix.bank.disturb('removeCharge', 'unavailable')
      await later()
      pix.bank.calls.length = 0
      expect(await pix.create('order-1', KEY)).toMatchObject(UNAVAILABLE)
      expect(pix.bank.calls).toEqual([])
    })

    it('is not finished by another request of the same reference', async () => {
      pix.bank.disturb('openCharge', 'cut-before')
      await pix.create('order-1')
      const body = railRequest('order-1', 'pix', { payerName: 'Outra Pessoa' })
      expect(await pix.test.send('POST', '/transactions', { body })).toMatchObject({
        codes: [210104],
      })
      expect(pix.bank.charges.size).toBe(0)
    })

    it('is finished by a request with the same key after the first one died', async () => {
      const { open } = pix.parts.bankCharges
      let kills = 1
      pix.parts.bankCharges.open = (...given) =>
        kills-- > 0 ? Promise.reject(new Error('killed')) : open(...given)
      expect(await pix.create('order-1', KEY)).toMatchObject({ status: 500 })
      expect(liveAtBank()).toBe(1)
      expect(await pix.create('order-1', KEY)).toMatchObject({ status: 201 })
      expect(pix.bank.charges.size).toBe(1)
    })

    it('that a worker removes meanwhile is not shown', async () => {
      const { bank, parts } = pix
      const { open } = parts.bankCharges
      parts.bankCharges.open = async (...given) => {
        pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS
        bank.disturb('removeCharge', 'unavailable')
        await askAfterOpenCharges(parts)
        return await open(...given)
      }
      expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
      expect(liveAtBank()).toBe(0)
      expect(await pix.find('order-1')).toBeUndefined()
    })

    it('that was paid though no payer could see it ends, and its money is a surplus', async () => {
      disturb([
        ['openCharge', 'cut-after'],
        ['findCharge', 'cut-after'],
      ])
      await pix.create('order-1')
      pix.bank.pay()
      await later()
      const found = (await pix.find('order-1'))!
      expect(found).toMatchObject({ status: 'CANCELLED', open: false })
      expect((await pix.details(found.code))?.payments).toMatchObject([
        { purpose: 'after-the-end', refundStatus: 'PROCESSING' },
      ])
    })

    it('whose process ended between two commits leaves nothing behind', async () => {
      const { parts } = pix
      // The process ends after the intent, before the bank is asked.
      const bankOf = (): never => {
        throw new Error('killed')
      }
      const withdrawIntent = (): never => {
        throw new Error('killed')
      }
      const transactions = { ...parts.transactions, withdrawIntent }
      const killed = withBankParts(parts, { bankOf, transactions })
      const policy = { ...parts.requestPolicy, today: '2026-11-21' }
      const request = readTransactionRequest(railRequest('order-1', 'pix'), MERCHANT, policy)
      await expect(
        createTransaction(killed, MERCHANT, {
          request,
          isRetry: false,
          deadline: beginDeadline(),
        }),
      ).rejects.toThrow()
      expect(await pix.find('order-1')).toMatchObject({ open: true })
      await later()
      expect(await pix.find('order-1')).toBeUndefined()
      expect(pix.bank.calls).toEqual(['removeCharge'])
    })

    it('is answered in bounded time by a bank that hangs', async () => {
      const slow = await openPixGateway(engine, {
        bankTimeoutMs: 20,
        bankOf: () => ({
          pix: {
            ...pix.bank.bank,
            openCharge: () => new Promise(() => undefined),
            findCharge: () => new Promise(() => undefined),
          },
        }),
      })
      expect(await slow.create('order-1')).toMatchObject(UNAVAILABLE)
      await slow.close()
    })

    it.each([
      [5, ['openCharge', 'findCharge']],
      [12, ['openCharge']],
    ])(
      'keeps its shop for 15 seconds at most: a bank that took %i s is asked %j',
      async (seconds, calls) => {
        stopTime()
        const { bank } = pix
        const real = { ...bank.bank }
        bank.bank.openCharge = async (order) => {
          const answer = await real.openCharge(order)
          vi.advanceTimersByTime(seconds * SECOND_MS)
          return answer
        }
        bank.disturb('openCharge', 'cut-before')
        expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
        expect(bank.calls).toEqual(calls)
        bank.calls.length = 0
        bank.bank.findCharge = async (...given) => {
          const answer = await real.findCharge(...given)
          vi.advanceTimersByTime(12 * SECOND_MS)
          return answer
        }
        expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
        expect(bank.calls).toEqual(['findCharge'])
        await later()
        expect(liveAtBank()).toBe(0)
        expect(await pix.find('order-1')).toBeUndefined()
      },
    )

    it('is cut off when a connector takes longer than a shop waits', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => {
        vi.useRealTimers()
      })
      let asked = (): void => undefined
      const isAsked = new Promise<void>((resolve) => (asked = resolve))
      pix.bank.bank.openCharge = () => {
        asked()
        return new Promise(() => undefined)
      }
      const created = pix.create('order-1')
      await isAsked
      await vi.advanceTimersByTimeAsync(15 * SECOND_MS)
      expect(await created).toMatchObject(UNAVAILABLE)
      expect(await pix.find('order-1')).toMatchObject({ open: true })
    })

    it('cannot be requested without credentials, and logs the reason', async () => {
      const { database } = pix
      await database.transact((trx) =>
        trx.updateTable('accounts').set({ sealed: 'wrapped-v1.gone.AAAA.AAAA' }).execute(),
      )
      expect(await pix.create('order-1')).toMatchObject(UNAVAILABLE)
      expect(await pix.find('order-1')).toBeUndefined()
      expect(pix.logged.join()).toContain('an account cannot be used')
    })

    it('is simulated by the rails in a sandbox without an account', async () => {
      const sandbox = await openPixGateway(engine, { environment: 'sandbox' })
      await sandbox.parts.accounts.disable('bank-1', 'operator:ana')
      expect(await sandbox.create('order-1')).toMatchObject({ status: 201 })
      expect(sandbox.bank.calls).toEqual([])
      await sandbox.close()
    })
  })
}

/** A bank's code, with its checksum. */
function codeAt(location: string): string {
  const code = pixCode({
    location,
    receiverName: 'Loja Um',
    receiverCity: 'Brasilia',
    amountMinor: minorUnits(10_000),
  })
  expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)))
  return code
}
