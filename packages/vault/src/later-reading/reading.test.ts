import { DAY_MS, HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { PROVIDER_TIMEOUT_MS, startDueWork } from '@cofre/work'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FindRequest, AcquirerAnswer, FoundPayment } from '@cofre/provider-kit/card'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import { event, testNotices } from '../notice/notices.fixture.js'
import {
  ACCOUNT,
  CHARGED_AT_MS,
  CODE,
  TestBooks,
  addAccount,
  readableAcquirer,
  replayingAcquirer,
  storeCharge,
} from '../refund/charged.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'

const PAUSED: AcquirerAnswer<FoundPayment> = {
  kind: 'not-sent',
  cause: 'limited',
  detail: 'limit',
  retryAfterMs: 30_000,
}
const SILENT: AcquirerAnswer<FoundPayment> = { kind: 'unknown', detail: 'no answer' }
/** A payment with a dispute that has no amount. */
const BROKEN = {
  kind: 'done',
  value: { state: 'approved', returnedMinor: 0, surplus: [], disputes: [{ disputeId: 'D1' }] },
} as unknown as AcquirerAnswer<FoundPayment>
const codeOf = (number: number): string => String(Number(CODE) + number)

for (const engine of TEST_ENGINES)
  describe(`charges without news, on ${engine.name}`, () => {
    let test: TestVault
    let vault: Vault
    let books: TestBooks
    let reads: FindRequest[]
    let answers: AcquirerAnswer<FoundPayment>[]
    let isBroken: (code: string) => boolean
    let hung: Map<string, Promise<AcquirerAnswer<FoundPayment>>>
    let canBeRead: boolean
    beforeEach(async () => {
      test = await openTestVault(engine)
      test.clock.nowMs = CHARGED_AT_MS
      books = new TestBooks()
      reads = []
      answers = []
      isBroken = () => false
      hung = new Map()
      canBeRead = true
      const readable = readableAcquirer(books)
      const acquirer = {
        ...readable,
        async find(request: FindRequest) {
          reads.push(request)
          if (isBroken(request.key.transactionCode)) return BROKEN
          const late = hung.get(request.key.transactionCode)
          return (await late) ?? answers.shift() ?? (await readable.find!(request))
        },
      }
      vault = createVault({
        ...test.deps,
        connectionOf: () =>
          Promise.resolve({
            acquirer: canBeRead ? acquirer : replayingAcquirer(books),
            notices: testNotices,
          }),
      })
      await addAccount(test.deps)
    })
    afterEach(() => test.database.close())

    const administration = () => createVaultAdministration(test.deps)
    const kinds = async () => (await vault.changes('production')).map(({ change }) => change.kind)
    /** Runs some rounds of the follow-up. */
    const pass = async (ms: number, rounds = 3): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        test.clock.nowMs += ms / rounds
        await vault.followUpCharges()
      }
    }
    const on = async (day: number): Promise<number> => {
      test.clock.nowMs = CHARGED_AT_MS + day * DAY_MS
      await vault.followUpCharges()
      return reads.length
    }

    it('are read on days 1, 7, 30, 90 and 180, after all other calls, whatever was found', async () => {
      await storeCharge(test.database)
      const days: number[] = []
      for (let day = 0; day <= 400; day += 1) {
        const before = reads.length
        if ((await on(day)) > before) days.push(day)
      }
      expect(days).toEqual([1, 7, 30, 90, 180])
      expect(new Set(reads.map(({ urgency }) => urgency))).toEqual(new Set(['later']))
    })

    it('show a chargeback or a refusal whose notice was lost, once', async () => {
      await storeCharge(test.database)
      expect(await on(1)).toBe(1)
      const dispute = { disputeId: 'D1', amountMinor: minorUnits(10_000), isReversed: false }
      books.disputes.push({ ...dispute, reason: undefined, status: undefined })
      await on(7)
      books.isRefused = true
      await on(30)
      await on(90)
      expect(await kinds()).toEqual(['charged_back', 'capture_failed'])
    })

    it('from before an upgrade are read once each, and from then on as all are', async () => {
      await storeCharge(test.database)
      expect(await on(100)).toBe(1)
      expect(await on(179)).toBe(1)
      expect(await on(180)).toBe(2)
    })

    it('are read the oldest first, a minute apart where they are few', async () => {
      for (const number of [3, 1, 2])
        await storeCharge(test.database, {
          code: codeOf(number),
          approvedAtMs: CHARGED_AT_MS + number,
        })
      await on(2)
      expect(await administration().readingsBehind()).toEqual([
        { accountId: ACCOUNT, due: 2, behindMs: DAY_MS - 2 },
      ])
      await vault.followUpCharges()
      expect(reads).toHaveLength(1)
      for (let minute = 0; minute < 3; minute += 1) await pass(MINUTE_MS, 1)
      expect(reads.map(({ key }) => key.transactionCode)).toEqual([1, 2, 3].map(codeOf))
      expect(await administration().readingsBehind()).toMatchObject([{ due: 0, behindMs: 0 }])
    })

    it('wait, and none is left out, where the account has no calls to spare', async () => {
      await storeCharge(test.database)
      answers = [PAUSED, PAUSED, PAUSED, PAUSED]
      await on(1)
      await pass(3 * MINUTE_MS, 6)
      expect(answers).toEqual([])
      expect(await administration().readingsBehind()).toMatchObject([{ due: 0 }])
      expect(reads).toHaveLength(5)
    })

    it('do not wait for one that its acquirer does not report: that one gets a read of its own', async () => {
      for (const number of [1, 2])
        await storeCharge(test.database, {
          code: codeOf(number),
          approvedAtMs: CHARGED_AT_MS + number,
        })
      answers = [SILENT, SILENT, SILENT]
      await on(2)
      await pass(HOUR_MS, 12)
      const codes = reads.map(({ key }) => key.transactionCode)
      expect(codes.slice(0, 3)).toEqual([1, 1, 1].map(codeOf))
      expect(codes.slice(3).toSorted()).toEqual([1, 2].map(codeOf))
    })

    it('do not wait for one whose answer cannot be stored', async () => {
      for (const number of [1, 2])
        await storeCharge(test.database, {
          code: codeOf(number),
          approvedAtMs: CHARGED_AT_MS + number,
        })
      isBroken = (code) => code === codeOf(1)
      await on(2)
      await pass(HOUR_MS, 12)
      expect(reads.map(({ key }) => key.transactionCode)).toContain(codeOf(2))
    })

    it('do not wait for the acquirer of another account, and it is asked no further', async () => {
      await addAccount(test.deps, { id: 'hangs' })
      const [stuck = '', ...others] = [1, 2, 3].map(codeOf)
      await storeCharge(test.database, { code: stuck, account: 'hangs' })
      for (const code of others)
        await storeCharge(test.database, {
          code,
          approvedAtMs: CHARGED_AT_MS + (Number(code) % 10),
        })
      const answer = Promise.withResolvers<AcquirerAnswer<FoundPayment>>()
      hung.set(stuck, answer.promise)
      test.clock.nowMs = CHARGED_AT_MS + 2 * DAY_MS
      const readings = vault.followUp.filter(({ name }) => name === 'later readings')
      const work = startDueWork(
        readings.map((row) => ({ ...row, everyMs: 10 })),
        { log: test.deps.log },
      )
      const codes = () => reads.map(({ key }) => key.transactionCode).toSorted()
      await expect.poll(codes).toEqual([stuck, others[0]])
      test.clock.nowMs += 2 * MINUTE_MS
      // Before the hanging call times out.
      const timeout = PROVIDER_TIMEOUT_MS / 2
      await expect.poll(codes, { timeout }).toEqual([stuck, ...others])
      answer.resolve(SILENT)
      await work.stop()
      expect(codes()).toEqual([stuck, ...others])
    })

    it('of accounts with files of their payouts without a gap up to that day are not read', async () => {
      await storeCharge(test.database)
      const cover = (fromDay: number, untilDay: number) =>
        vault.coverAccounts('production', [
          {
            accountId: ACCOUNT,
            fromMs: CHARGED_AT_MS + fromDay * DAY_MS,
            untilMs: CHARGED_AT_MS + untilDay * DAY_MS,
          },
        ])
      test.clock.nowMs = CHARGED_AT_MS + DAY_MS
      await cover(-1, 2)
      expect(await on(1)).toBe(0)
      // The report has expired.
      expect(await on(7)).toBe(1)
      test.clock.nowMs = CHARGED_AT_MS + 30 * DAY_MS
      await cover(-1, 29)
      expect(await on(30)).toBe(2)
      test.clock.nowMs = CHARGED_AT_MS + 90 * DAY_MS
      await cover(1, 91)
      expect(await on(90)).toBe(3)
      test.clock.nowMs = CHARGED_AT_MS + 180 * DAY_MS
      await vault.coverAccounts('sandbox', [
        { accountId: ACCOUNT, fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER },
      ])
      expect(await on(180)).toBe(4)
    })

    it('are read once by two processes', async () => {
      await storeCharge(test.database)
      test.clock.nowMs = CHARGED_AT_MS + DAY_MS
      await Promise.all([vault.followUpCharges(), vault.followUpCharges()])
      expect(reads).toHaveLength(1)
    })

    it('at an acquirer that cannot be read are counted after a day without a notice', async () => {
      canBeRead = false
      const heard = codeOf(1)
      for (const code of [CODE, heard]) await storeCharge(test.database, { code })
      const approved = (code: string) =>
        vault.acceptNotice(ACCOUNT, {
          events: [
            event('approved', { reference: event('approved').reference.replace(CODE, code) }),
          ],
        })
      await approved(heard)
      await on(0.9)
      expect((await vault.census()).unreportedCharges).toEqual({ production: 0, sandbox: 0 })
      await on(1.1)
      expect((await vault.census()).unreportedCharges.production).toBe(1)
      expect(await administration().unreportedCharges()).toMatchObject([
        { transactionCode: CODE, accountId: ACCOUNT, chargedAtMs: CHARGED_AT_MS },
      ])
      await approved(CODE)
      await vault.sweep()
      expect((await vault.census()).unreportedCharges.production).toBe(0)
      expect(await administration().readingsBehind()).toEqual([])
    })
  })
