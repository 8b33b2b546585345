// What every acquirer's connector promises, tried at its simulator: a driver says where that is.
import { type Decline, type MinorUnits, Secret, minorUnits } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { endCalls, stopCallTime } from '../../test/call-time.js'
import {
  CHARGED,
  KEY,
  type TestClock,
  type TestConnection,
  type TestPlace,
  approvedId,
  connectionTo,
  enteredAccount,
  order,
  untilKnown,
} from '../../test/payments.js'
import type { AccountAnswers } from '../account/index.js'
import type { AcquirerProvider, AuthorizeRequest } from '../card/index.js'
import type { Call, Disturbances, Tally } from '../simulator/index.js'

/** A simulator with an account that has no payments yet. */
export interface PlayedAcquirer {
  /** Where it is, with what a person answers of the account, secrets as such. */
  readonly place: Omit<TestPlace, 'clock'>
  /** Also the connector's. */
  readonly clock: TestClock
  readonly disturbances: Disturbances
  /** What its books have under one of our references. */
  tallyOf(reference: string): Tally
  /** The bodies of the notices that have come so far. */
  notices(): Promise<readonly unknown[]>
  close(): Promise<void>
}

export interface AcquirerDriver {
  readonly provider: AcquirerProvider
  open(): Promise<PlayedAcquirer>
  /** What of an order makes it approved. */
  readonly approved: Partial<AuthorizeRequest>
  readonly declined: {
    readonly order: Partial<AuthorizeRequest>
    readonly reason: Decline['reason']
  }
  /** Which calls ask for a charge, and for money back. */
  readonly isCharge: (call: Call) => boolean
  readonly isRefund: (call: Call) => boolean
  /** What it says of a request that it finds wrong. */
  readonly refusal: { readonly status: 400 | 422; readonly body: object }
  /** How long after its charge a payment is refunded. */
  readonly refundableAfterMs: number
}

const REFERENCE = 'cofrep1042'
const PART = minorUnits(4000)

export function describeAcquirer(driver: AcquirerDriver): void {
  const { provider } = driver
  describe(`${provider.name}, as every acquirer`, () => {
    let at: PlayedAcquirer
    let connection: TestConnection
    beforeEach(async () => {
      at = await driver.open()
      connection = connectionTo(provider, { ...at.place, clock: at.clock })
    })
    afterEach(async () => {
      await connection.acquirer.close()
      await at.close()
      expect(connection.said.join()).not.toContain(order(driver.approved).card.reveal().number)
    })

    const ask = (changes: Partial<AuthorizeRequest> = {}) =>
      connection.acquirer.authorize(order({ ...driver.approved, ...changes }))
    const charge = () => untilKnown(at.clock, (earlier) => ask({ earlier }))
    const tally = () => at.tallyOf(REFERENCE)
    async function paid() {
      const paymentId = approvedId(await charge())
      const chargedAtMs = at.clock.now()
      at.clock.advance(driver.refundableAfterMs)
      return { paymentId, chargedAtMs }
    }
    type Paid = Awaited<ReturnType<typeof paid>>
    const refund = (
      payment: Paid,
      refundId: string,
      returnedBeforeMinor: MinorUnits = minorUnits(0),
    ) =>
      untilKnown(at.clock, (earlier) =>
        connection.acquirer.refund({
          ...payment,
          key: KEY,
          earlier,
          refundId,
          chargedMinor: CHARGED,
          returnedBeforeMinor,
          amountMinor: PART,
        }),
      )

    const read = (changes: AccountAnswers = {}) =>
      provider.readAccount({
        profile: provider.profiles[0]?.name ?? '',
        kind: 'test',
        answers: { ...at.place.answers, ...changes },
        nowMs: 0,
      })
    const refuses = (question: string) =>
      expect.objectContaining({ name: 'AccountError', question }) as Error

    it('asks for what it reads, and keeps secrets sealed', () => {
      const asked = provider.questions(provider.profiles[0]?.name ?? '')
      const kinds = Object.fromEntries(asked.map(({ name, kind }) => [name, kind]))
      const shown = JSON.stringify(read())
      for (const [name, answer] of Object.entries(at.place.answers)) {
        expect([name, kinds[name]]).toEqual([name, answer instanceof Secret ? 'secret' : 'text'])
        if (answer instanceof Secret) expect(shown).not.toContain(answer.reveal())
      }
    })

    it('takes answers that are missing, or files, for wrong, by their names', () => {
      for (const { name, isOptional } of provider.questions('')) {
        if (isOptional) expect(() => read({ [name]: ' ' })).not.toThrow()
        else expect(() => read({ [name]: ' ' })).toThrow(refuses(name))
        expect(() => read({ [name]: Buffer.from('file') })).toThrow(refuses(name))
      }
    })

    it('connects an account of its own, to a simulator where it is one', async () => {
      const account = enteredAccount(provider, 'test', at.place.answers)
      const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
      const tools = { clock: at.clock, log: silent }
      const { acquirer, steps } = provider.connect(account, tools)
      expect(steps).toHaveLength(1)
      await acquirer.close()
      expect(() => provider.connect({ ...account, kind: 'simulator' }, tools)).toThrow('simulator')
      expect(() => provider.connect({ ...account, settings: {} }, tools)).toThrow()
    })

    it('shows its credentials to the acquirer without a charge', async () => {
      expect(await connection.steps[0]?.run()).toMatchObject({ isDone: true })
      expect(tally()).toMatchObject({ attempts: 0 })
    })

    it('charges an approved card, and names the payment', async () => {
      expect(await charge()).toMatchObject({
        kind: 'done',
        value: {
          outcome: 'approved',
          payment: { paymentId: expect.stringMatching(/./) as string },
        },
      })
      expect(tally()).toMatchObject({ attempts: 1, charges: 1, chargedMinor: CHARGED })
    })

    it('says why a card is declined, and charges nothing', async () => {
      expect(await ask(driver.declined.order)).toMatchObject({
        kind: 'done',
        value: { outcome: 'declined', decline: { reason: driver.declined.reason } },
      })
      expect(tally()).toMatchObject({ charges: 0 })
    })

    it.each(['before', 'after'] as const)(
      'charges once when its answer is cut %s it has booked',
      async (when) => {
        at.disturbances.add({ effect: { kind: 'cut', when }, on: driver.isCharge })
        expect(await ask()).toMatchObject({ kind: 'unknown' })
        const earlier = { firstAtMs: at.clock.now(), absentSinceMs: undefined }
        const answer = await untilKnown(at.clock, (last) => ask({ earlier: last ?? earlier }))
        expect(answer).toMatchObject({ kind: 'done', value: { outcome: 'approved' } })
        expect(tally()).toMatchObject({ charges: 1 })
      },
    )

    it('charges once, however often it is asked under one key', async () => {
      const paymentId = approvedId(await charge())
      const earlier = { firstAtMs: at.clock.now(), absentSinceMs: undefined }
      expect(approvedId(await ask({ earlier }))).toBe(paymentId)
      expect(tally()).toMatchObject({ charges: 1 })
    })

    it.each([
      ['finds the request wrong', undefined, { kind: 'refused' }],
      ['knows the credentials not', 401, { kind: 'not-sent', cause: 'login' }],
      ['wants fewer calls', 429, { kind: 'not-sent', cause: 'limited' }],
      ['fails', 500, { kind: 'unknown' }],
    ] as const)('is certain of nothing else where it %s', async (_, status, expected) => {
      const { refusal } = driver
      const body = JSON.stringify(status === undefined ? refusal.body : {})
      const headers = { 'Content-Type': 'application/json' }
      const effect = { kind: 'answer', status: status ?? refusal.status, headers, body } as const
      at.disturbances.add({ effect, on: driver.isCharge })
      expect(await ask()).toMatchObject(expected)
      expect(tally()).toMatchObject({ charges: 0 })
    })

    it('does not know what becomes of a charge that takes too long', async () => {
      onTestFinished(stopCallTime())
      at.disturbances.add({ effect: { kind: 'late', delayMs: 400 }, on: driver.isCharge })
      const asked = ask()
      await expect.poll(() => tally().charges).toBe(1)
      endCalls()
      expect(await asked).toMatchObject({ kind: 'unknown' })
    })

    it('returns money once under one name, also when its answer is lost', async () => {
      const payment = await paid()
      at.disturbances.add({ effect: { kind: 'cut', when: 'after' }, on: driver.isRefund })
      const first = await refund(payment, '7')
      expect(first).toMatchObject({ kind: 'done' })
      expect(tally()).toMatchObject({ charges: 1, refunds: 1, refundedMinor: PART })
      at.clock.advance(60_000)
      expect(await refund(payment, '8', PART)).toMatchObject({ kind: 'done' })
      expect(tally()).toMatchObject({ refunds: 2, refundedMinor: 2 * PART })
    })

    it('knows its own notices, and takes nothing else for one', async () => {
      const paymentId = approvedId(await charge())
      const bodies = await at.notices()
      expect(bodies.length).toBeGreaterThan(0)
      for (const body of bodies) {
        const reading = connection.notices.read(body)
        expect(['events', 'hints']).toContain(reading.kind)
        expect(JSON.stringify(reading)).toMatch(new RegExp(`${paymentId}|${REFERENCE}`))
      }
      for (const body of [undefined, null, '', 'text', 7, [], {}, { a: [{}] }])
        expect(connection.notices.read(body)).toEqual({ kind: 'none' })
    })
  })
}
