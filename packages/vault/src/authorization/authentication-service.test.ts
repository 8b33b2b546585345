import { HOUR_MS, MINUTE_MS, SECOND_MS, minorUnits, DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLanes } from '@cofre/work'
import type { CompletionRequest, AcquirerAnswer, CompletedCharge } from '@cofre/provider-kit/card'
import { claimChanges } from '../outbox/change-sql.js'
import {
  CARD,
  type TestVault,
  dumpDatabase,
  openTestVault,
  orderFor,
  paymentNamed,
} from '../vault.fixture.js'
import { authenticate, pursueAuthentications } from './authentication-service.js'
import { RESULTS_MAX } from './card-authentication-sql.js'
import { AUTHENTICATION_MS } from './card-charge.js'
import { endCharge } from './charge-end-service.js'
import { TestAccount, type TestProcess, startProcess } from './charging.fixture.js'

const RETURN_URL = 'https://pay.example/a/AbCdEfGhIjKlMnOp/return'
const ACTION = { method: 'GET', url: 'https://bank.example/ask?MD=m0', fields: {} } as const
const ASKS = { kind: 'done', value: { outcome: 'authenticate', action: ACTION } } as const
const RESULT = 'what the payer brings'
const APPROVED = {
  kind: 'done',
  value: { outcome: 'approved', payment: paymentNamed('p1'), surplus: [] },
} as const
const DECLINED = {
  kind: 'done',
  value: {
    outcome: 'declined',
    payment: paymentNamed('p1'),
    decline: { reason: 'authentication_required', retry: { kind: 'never' } },
  },
} as const
const LOST = { kind: 'unknown', detail: 'the answer was lost' } as const
const FORGED = { kind: 'refused', detail: 'no such result' } as const

const done = (value: CompletedCharge) => ({ kind: 'done', value }) as const

type Completion = AcquirerAnswer<CompletedCharge> | 'hangs'

/** Approves, unless the test sets a result, and records its requests. */
class AskingAccount extends TestAccount {
  readonly completions: (Omit<CompletionRequest, 'result'> & { readonly result: string })[] = []
  results: Completion[] = []

  completeAuthentication = async (
    request: CompletionRequest,
  ): Promise<AcquirerAnswer<CompletedCharge>> => {
    this.completions.push({ ...request, result: request.result.reveal() })
    await this.during()
    const result = this.results.shift() ?? APPROVED
    return result === 'hangs' ? await new Promise<never>(() => undefined) : result
  }
}

for (const engine of TEST_ENGINES) {
  describe(`a card whose bank asks its holder, on ${engine.name}`, () => {
    let test: TestVault
    let one: AskingAccount
    let two: AskingAccount
    let vault: TestProcess
    beforeEach(async () => {
      test = await openTestVault(engine)
      one = new AskingAccount('one')
      two = new AskingAccount('two')
      one.calls = [ASKS]
      vault = startProcess(test, [one, two])
    })
    afterEach(() => test.database.close())

    type Order = ReturnType<typeof orderFor>
    const order = async (changes = {}) =>
      orderFor(await test.deposit(), { authenticationReturnUrl: RETURN_URL, ...changes })
    const asked = async (changes = {}) => {
      const waiting = await order(changes)
      return { waiting, answer: await vault.authorize(waiting) }
    }
    const bring = (
      { environment, transactionCode }: Order,
      result?: string,
      by: TestProcess = vault,
    ) => authenticate(by.deps, { environment, transactionCode, ...(result && { result }) })
    const pursue = async (ms = 0, by: TestProcess = vault) => {
      test.clock.nowMs += ms
      await pursueAuthentications(by.deps, createLanes())
    }
    const changes = async () =>
      (await claimChanges(test.database, 'production', test.clock.nowMs)).map(
        ({ change }) => change,
      )
    const rows = () => test.database.reader.selectFrom('card_authentications').selectAll().execute()

    it('is answered with where the payer goes, and the same again', async () => {
      const { waiting, answer } = await asked()
      const expiresAtMs = test.clock.nowMs + AUTHENTICATION_MS
      const authentication = { action: ACTION, expiresAtMs }
      expect(answer).toMatchObject({ outcome: 'pending', authentication })
      test.clock.nowMs += MINUTE_MS
      const other = startProcess(test, [one, two])
      expect(await other.authorize(waiting)).toEqual(answer)
      expect(await other.recall(waiting)).toEqual(answer)
      expect(await bring(waiting)).toEqual(answer)
      expect(one.requests).toHaveLength(1)
      expect(one.requests).toMatchObject([{ authenticationReturnUrl: RETURN_URL }])
      // No other account is asked while it waits.
      expect(two.requests).toEqual([])
      expect(await changes()).toEqual([])
    })

    it('is given up when the clock was set back by a day', async () => {
      await asked()
      test.clock.nowMs -= DAY_MS
      await pursue()
      await vault.followUp()
      await vault.followUp()
      expect(one.cancels).toMatchObject([{ paymentId: undefined }])
    })

    it('is erased with its code at once, and where the payer goes is sealed', async () => {
      await asked()
      const stored = await dumpDatabase(test.database)
      for (const secret of [CARD.number, 'bank.example']) expect(stored).not.toContain(secret)
      const cards = await test.database.reader
        .selectFrom('authorizations')
        .select('sealed_card')
        .execute()
      expect(cards).toEqual([{ sealed_card: null }])
    })

    it.each([
      ['approved', APPROVED, { outcome: 'approved', charge: { paymentId: 'p1' } }],
      ['declined', DECLINED, { outcome: 'declined', decline: DECLINED.value.decline }],
    ] as const)('ends %s as its acquirer decides, and is reported once', async (_, result, end) => {
      const { waiting } = await asked()
      one.results = [result]
      const [first, second] = await Promise.all([bring(waiting, RESULT), bring(waiting, RESULT)])
      expect(first).toMatchObject(end)
      expect(second).toEqual(first)
      expect(first).not.toHaveProperty('authentication')
      expect(await bring(waiting, RESULT)).toEqual(first)
      expect(await vault.authorize(waiting)).toEqual(first)
      expect(one.completions).toMatchObject([
        { result: RESULT, earlier: undefined, amountMinor: waiting.amountMinor, brand: 'visa' },
      ])
      expect(await changes()).toMatchObject([{ kind: 'settled', answer: end }])
      expect(await rows()).toEqual([])
    })

    it('reports that the issuer is liable for fraud if its acquirer does', async () => {
      const { waiting } = await asked()
      one.results = [done({ ...APPROVED.value, payment: { ...APPROVED.value.payment, eci: '5' } })]
      expect(await bring(waiting, RESULT)).toMatchObject({ charge: { liabilityShift: true } })
    })

    it('pays with a card that is saved once it is approved', async () => {
      const { waiting, answer } = await asked({ saveCard: true })
      const savedCard = { brand: 'visa', lastFour: '1111' }
      expect(answer).toMatchObject({ savedCard })
      expect(await bring(waiting, RESULT)).toMatchObject({ outcome: 'approved', savedCard })
    })

    it('is counted against its card where it is declined in the end', async () => {
      const { waiting } = await asked()
      const stolen = { reason: 'stolen_card', retry: { kind: 'never' } } as const
      one.results = [done({ ...DECLINED.value, decline: stolen })]
      await bring(waiting, RESULT)
      expect(await vault.authorize(await order())).toMatchObject({
        outcome: 'declined',
        decline: { reason: 'retry_not_allowed' },
      })
      expect(one.requests).toHaveLength(1)
    })

    it('waits on after a forged result, without it', async () => {
      const { waiting, answer } = await asked()
      one.results = [FORGED, FORGED]
      expect(await bring(waiting, 'forged')).toEqual(answer)
      await pursue(10 * MINUTE_MS)
      expect(one.completions).toHaveLength(1)
      expect(await bring(waiting, RESULT)).toEqual(answer)
      expect(await bring(waiting, RESULT)).toMatchObject({ outcome: 'approved' })
    })

    it('costs its acquirer no more calls than a payer needs', async () => {
      const { waiting, answer } = await asked()
      one.results = Array.from({ length: 2 * RESULTS_MAX }, () => FORGED)
      for (let i = 0; i < RESULTS_MAX + 5; i++)
        expect(await bring(waiting, `forged ${i}`)).toEqual(answer)
      expect(one.completions).toHaveLength(RESULTS_MAX)
    })

    it('is asked again with the same result after a lost answer, in growing pauses', async () => {
      const { waiting, answer } = await asked()
      one.results = [LOST, LOST, LOST]
      // Its payer has been at the bank, and is not sent there again.
      const unjudged = await bring(waiting, RESULT)
      expect({ ...answer, authentication: undefined }).toEqual(unjudged)
      expect(unjudged).not.toHaveProperty('authentication')
      const other = startProcess(test, [one, two])
      for (let seconds = 0; seconds < 60; seconds++) await pursue(SECOND_MS, other)
      expect(one.completions.map(({ result }) => result)).toEqual(Array(4).fill(RESULT))
      const [, ...later] = one.completions
      expect(later.every(({ earlier }) => earlier !== undefined)).toBe(true)
      expect(await bring(waiting)).toMatchObject({ outcome: 'approved' })
      expect(await changes()).toMatchObject([{ kind: 'settled' }])
    })

    it('is asked by another process where the first was killed meanwhile', async () => {
      const { waiting } = await asked()
      one.results = ['hangs']
      // The process was killed: its result is never seen.
      bring(waiting, RESULT).catch(() => undefined)
      await expect.poll(() => one.completions).toHaveLength(1)
      const other = startProcess(test, [one, two])
      // The killed process's lease keeps others from calling while its call may run.
      await pursue(0, other)
      expect(one.completions).toHaveLength(1)
      await pursue(MINUTE_MS, other)
      await pursue(MINUTE_MS, other)
      expect(await bring(waiting, undefined, other)).toMatchObject({ outcome: 'approved' })
      expect(one.completions).toMatchObject([{}, { result: RESULT, earlier: {} }])
    })

    it('is forgotten where its order has ended without it', async () => {
      const { waiting } = await asked()
      const [row] = await rows()
      await bring(waiting, RESULT)
      // A lost answer to the same order is stored after it.
      await test.database.transact(async (trx) => {
        await trx.insertInto('card_authentications').values(row!).execute()
      })
      await pursue(AUTHENTICATION_MS)
      expect(await rows()).toEqual([])
      expect(await bring(waiting)).toMatchObject({ outcome: 'approved' })
    })

    it('keeps a result before its acquirer is asked', async () => {
      const { waiting } = await asked()
      let kept: unknown
      one.during = async () => {
        kept = (await rows())[0]?.sealed_result
      }
      await bring(waiting, RESULT)
      expect(kept).toEqual(expect.stringContaining('v1.'))
      expect(kept).not.toContain(RESULT)
    })

    it.each([
      ['approved', APPROVED],
      ['declined', DECLINED],
    ] as const)(
      'is %s by a notice before its payer is back',
      async (outcome, { value: { payment } }) => {
        const { waiting } = await asked()
        const decline = outcome === 'declined' ? DECLINED.value.decline : undefined
        await endCharge(vault.deps, waiting, { outcome, payment, decline, surplus: [] })
        expect(await bring(waiting, RESULT)).toMatchObject({ outcome })
        expect(one.completions).toEqual([])
        expect(await rows()).toEqual([])
      },
    )

    it('is cancelled by its key where its payer stays away', async () => {
      const { waiting, answer } = await asked()
      await pursue(AUTHENTICATION_MS - 1)
      expect(await bring(waiting)).toEqual(answer)
      await pursue(1)
      await vault.followUp()
      await vault.followUp()
      expect(one.cancels).toMatchObject([{ paymentId: undefined }])
      const end = {
        outcome: 'declined',
        decline: { reason: 'authentication_required', retry: { kind: 'allowed' } },
      }
      expect(await bring(waiting, RESULT)).toMatchObject(end)
      expect(one.completions).toEqual([])
      expect(await changes()).toMatchObject([{ kind: 'settled', answer: end }])
      expect(await rows()).toEqual([])
    })

    it('takes no result once it is being cancelled, and a late approval counts', async () => {
      const { waiting } = await asked()
      one.cancelResults = [LOST, LOST]
      await pursue(AUTHENTICATION_MS)
      const late = await bring(waiting, RESULT)
      expect(late).toMatchObject({ outcome: 'pending' })
      expect(late).not.toHaveProperty('authentication')
      await vault.followUp()
      await vault.followUp()
      expect(one.completions).toEqual([])
      const stored = await dumpDatabase(test.database)
      expect(stored).toContain('"sealed_action":null')
      await endCharge(vault.deps, waiting, { ...APPROVED.value, decline: undefined })
      expect(await bring(waiting)).toMatchObject({ outcome: 'approved' })
      test.clock.nowMs += HOUR_MS
      await vault.followUp()
      expect(one.cancels).toHaveLength(1)
    })

    it('is not given up while its acquirer is asked with a result', async () => {
      const { waiting } = await asked()
      await test.database.transact((trx) =>
        trx
          .updateTable('card_authentications')
          .set({ expires_at_ms: test.clock.nowMs + 1 })
          .execute(),
      )
      one.during = async () => {
        test.clock.nowMs += 1
        await pursue(0, startProcess(test, [one, two]))
      }
      expect(await bring(waiting, RESULT)).toMatchObject({ outcome: 'approved' })
      expect(one.cancels).toEqual([])
    })

    it('stays unknown if the first answer was lost, and continues with the same order', async () => {
      one.calls = ['unknown', ASKS]
      const { waiting, answer } = await asked()
      expect(answer).toMatchObject({ outcome: 'unknown' })
      expect(await bring(waiting, RESULT)).toMatchObject({ outcome: 'unknown' })
      test.clock.nowMs += MINUTE_MS
      expect(await vault.recall(waiting)).toMatchObject({ authentication: { action: ACTION } })
      expect(one.requests).toMatchObject([
        { authenticationReturnUrl: RETURN_URL },
        { authenticationReturnUrl: RETURN_URL, earlier: {} },
      ])
      expect(await bring(waiting, RESULT)).toMatchObject({ outcome: 'approved' })
    })

    it('is known by no other code, and in no other environment', async () => {
      const { waiting } = await asked()
      expect(await bring({ ...waiting, transactionCode: '1' }, RESULT)).toBeUndefined()
      expect(await bring({ ...waiting, environment: 'sandbox' }, RESULT)).toBeUndefined()
      expect(one.completions).toEqual([])
    })

    it('logs nothing of where the payer goes, and what it brings back', async () => {
      const { waiting } = await asked()
      one.results = [LOST, FORGED]
      await bring(waiting, RESULT)
      await bring(waiting, RESULT)
      const printed = test.log.lines.join()
      expect(printed).toContain('an acquirer answered unknown')
      for (const secret of [RESULT, 'bank.example', CARD.number])
        expect(printed).not.toContain(secret)
    })
  })

  describe(`a simulated card whose bank asks its holder, on ${engine.name}`, () => {
    let test: TestVault
    beforeEach(async () => {
      test = await openTestVault(engine)
      test.acquirer.answers = [ASKS]
    })
    afterEach(() => test.database.close())

    const asked = async (changes = {}) => {
      const waiting = orderFor(await test.deposit(), {
        environment: 'sandbox',
        authenticationReturnUrl: RETURN_URL,
        amountMinor: minorUnits(100),
        ...changes,
      })
      const answer = await test.vault.authorize(waiting)
      expect(answer).toMatchObject({ outcome: 'pending', authentication: { action: ACTION } })
      return { waiting, answer }
    }
    const bring = ({ environment, transactionCode }: ReturnType<typeof orderFor>, result: string) =>
      test.vault.authenticate({ environment, transactionCode, result })
    const reported = async () =>
      (await test.vault.changes('sandbox')).map(({ change }) => change.kind)

    it.each([
      ['approved', APPROVED],
      ['declined', DECLINED],
    ] as const)('is %s, and reported, once', async (outcome, result) => {
      const { waiting, answer } = await asked({ saveCard: true })
      expect(await test.vault.authorize(waiting)).toEqual(answer)
      test.acquirer.completions = [FORGED, result]
      expect(await bring(waiting, 'forged')).toEqual(answer)
      expect(await bring(waiting, RESULT)).toMatchObject({ outcome })
      expect(await bring(waiting, RESULT)).toMatchObject({ outcome })
      expect(await reported()).toEqual(['settled'])
    })

    it('ends by itself where its payer stays away', async () => {
      const { waiting } = await asked()
      test.clock.nowMs += AUTHENTICATION_MS
      await test.vault.followUpCharges()
      expect(await bring(waiting, RESULT)).toMatchObject({
        outcome: 'declined',
        decline: { reason: 'authentication_required' },
      })
      expect(await reported()).toEqual(['settled'])
    })
  })
}
