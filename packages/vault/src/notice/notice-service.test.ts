import { DAY_MS, MINUTE_MS, SECOND_MS, minorUnits, refundReference } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AcquirerChange, type AcquirerEvent } from '@cofre/provider-kit/card'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import {
  ACCOUNT,
  CODE,
  PAYMENT,
  TestBooks,
  addAccount,
  readableAcquirer,
  replayingAcquirer,
  storeCharge,
} from '../refund/charged.fixture.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import { CHARGED, KEY, type TestNotice, event, testNotices } from './notices.fixture.js'

const SECRET = 'AAAAAAAAAAAAAAAAAAAAAA'
const ofRefund = (
  change: 'refunded' | 'refund_failed',
  changes: Partial<AcquirerEvent> = {},
): AcquirerEvent =>
  event(change, {
    reference: refundReference(KEY, '7'),
    returnId: 'RETURN7',
    amountMinor: minorUnits(3000),
    ...changes,
  })

const byPeople = (change: 'refunded' | 'refund_failed'): AcquirerEvent =>
  event(change, { returnId: 'PEOPLE', amountMinor: minorUnits(500) })

for (const engine of TEST_ENGINES)
  describe(`notices of acquirers on ${engine.name}`, () => {
    let test: TestVault
    let vault: Vault
    let books: TestBooks
    let kind: 'replaying' | 'readable'
    beforeEach(async () => {
      test = await openTestVault(engine)
      books = new TestBooks()
      kind = 'replaying'
      vault = createVault({
        ...test.deps,
        connectionOf: () =>
          Promise.resolve({
            acquirer: (kind === 'readable' ? readableAcquirer : replayingAcquirer)(books),
            notices: testNotices,
          }),
      })
      await addAccount(test.deps, { noticeSecret: SECRET })
    })
    afterEach(() => test.database.close())

    const take = (notice: TestNotice, account = ACCOUNT) => vault.acceptNotice(account, notice)
    const changes = async () => (await vault.changes('production')).map(({ change }) => change)
    const acknowledge = async () => {
      const reported = await test.database.reader.selectFrom('card_changes').select('id').execute()
      await vault.acknowledge(
        'production',
        reported.map(({ id }) => id),
      )
    }
    const refund = (refundId = '7', amountMinor = 3000) =>
      vault.refund({
        environment: 'production',
        merchantId: 'store-1',
        transactionCode: CODE,
        refundId,
        amountMinor: minorUnits(amountMinor),
      })

    it.each([
      ['its own', ACCOUNT, SECRET, true],
      ['another secret', ACCOUNT, 'AAAAAAAAAAAAAAAAAAAAAB', false],
      ['no secret', ACCOUNT, '', false],
      ['no account', 'conta-2', SECRET, false],
      ['no account and no secret', 'conta-2', '', false],
      ['a name that no database takes', '\0', SECRET, false],
    ])('are expected at an address with %s: %s', async (_, account, secret, isExpected) => {
      expect(await vault.expectsNotice(account, secret)).toBe(isExpected)
    })

    it.each([
      ['charged_back', { kind: 'charged_back', amountMinor: CHARGED }],
      ['dispute_announced', { kind: 'dispute_announced', amountMinor: CHARGED }],
      ['capture_failed', { kind: 'capture_failed' }],
      ['expired', { kind: 'capture_failed' }],
    ] as const)(
      'report %s to the gateway once, however often they come',
      async (change, reported) => {
        await storeCharge(test.database)
        const one = event(change, { returnId: 'DISPUTE', detail: 'why' })
        expect(await take({ events: [one, one] })).toEqual(['applied', 'double'])
        expect(await take({ events: [one] })).toEqual(['double'])
        const [first, ...others] = await vault.changes('production')
        expect(first).toMatchObject({
          transactionCode: CODE,
          atMs: one.atMs,
          detail: 'why',
          change: reported,
        })
        expect(others).toEqual([])
      },
    )

    it('report a failed capture once, whatever names it has', async () => {
      await storeCharge(test.database)
      await take({ events: [event('capture_failed'), event('capture_failed'), event('expired')] })
      expect(await changes()).toEqual([{ kind: 'capture_failed' }])
    })

    it('report nothing that is already known', async () => {
      await storeCharge(test.database)
      expect(await take({ events: [event('approved'), event('captured')] })).toEqual([
        'applied',
        'applied',
      ])
      expect(await changes()).toEqual([])
    })

    it.each([
      ['another payment', { paymentId: 'OTHER' }],
      ['another amount', { amountMinor: minorUnits(1) }],
    ])('that name %s change nothing, and are counted', async (_, wrong) => {
      await storeCharge(test.database)
      expect(await take({ events: [event('capture_failed', wrong)], refused: 2 })).toEqual([
        'forged',
        'forged',
        'contradicting',
      ])
      expect(await take({ events: [event('declined')] })).toEqual(['contradicting'])
      expect(await changes()).toEqual([])
      expect(test.log.lines.join('\n')).toContain('contradicts')
    })

    it.each([
      ['a charge of another installation', `otherp${CODE}`, 'foreign'],
      ['another program’s payment', 'Order 1042', 'foreign'],
      ['a charge that is not here', `testp9`, 'unknown_charge'],
      ['a charge of another environment', `tests${CODE}`, 'unknown_charge'],
      ['a refund that is not here', 'testr9', 'unknown_charge'],
    ])('about %s are kept nowhere: %s, %s', async (_, reference, fate) => {
      await storeCharge(test.database)
      expect(await take({ events: [event('charged_back', { reference })] })).toEqual([fate])
      const kept = await test.database.reader.selectFrom('card_events').selectAll().execute()
      expect(kept).toEqual([])
      expect(test.log.lines.some((line) => line.includes('does not know'))).toBe(
        fate === 'unknown_charge',
      )
    })

    it('of another form are not read', async () => {
      expect(await vault.acceptNotice(ACCOUNT, {})).toEqual(['unread'])
    })

    describe('of refunds', () => {
      it('end them', async () => {
        await storeCharge(test.database)
        expect(await refund()).toEqual({ kind: 'in_process' })
        expect(await take({ events: [ofRefund('refunded')] })).toEqual(['applied'])
        expect(await refund()).toEqual({ kind: 'done' })
        expect(await changes()).toEqual([
          { kind: 'refund_ended', refundId: '7', amountMinor: 3000, outcome: 'PROCESSED' },
        ])
        expect(books.requests).toHaveLength(1)
      })

      it.each([
        ['in their order', ['refunded', 'refund_failed'], ['PROCESSED', 'REJECTED']],
        ['the other way round', ['refund_failed', 'refunded'], ['REJECTED']],
      ] as const)(
        'that fail after they were done end as failed, %s',
        async (_, order, outcomes) => {
          await storeCharge(test.database)
          await refund()
          for (const change of order)
            expect(await take({ events: [ofRefund(change)] })).toEqual(['applied'])
          expect(await refund()).toMatchObject({ kind: 'refused' })
          expect(await changes()).toMatchObject(
            outcomes.map((outcome) => ({ kind: 'refund_ended', refundId: '7', outcome })),
          )
        },
      )

      it('that come before the answer to the request wait for it', async () => {
        await storeCharge(test.database)
        books.meanwhile = async () => {
          expect(await take({ events: [ofRefund('refunded')] })).toEqual(['early'])
          await vault.followUpCharges()
          expect(await changes()).toEqual([])
        }
        expect(await refund()).toEqual({ kind: 'in_process' })
        test.clock.nowMs += 5 * SECOND_MS
        await vault.followUpCharges()
        expect(await refund()).toEqual({ kind: 'done' })
        expect(await changes()).toHaveLength(1)
      })

      it('whose answer was lost end them', async () => {
        await storeCharge(test.database)
        books.faults.push({ after: { kind: 'unknown', detail: 'cut' } })
        await refund()
        expect(await take({ events: [ofRefund('refunded')] })).toEqual(['applied'])
        test.clock.nowMs += DAY_MS
        await vault.followUpCharges()
        expect(await refund()).toEqual({ kind: 'done' })
        expect(books.requests).toHaveLength(1)
      })

      it.each([
        ['in their order', ['refunded', 'refund_failed'], ['PROCESSED', 'REJECTED']],
        ['the other way round', ['refund_failed', 'refunded'], ['PROCESSED', 'REJECTED']],
      ] as const)(
        'that people made at the acquirer are reported, and so is their failure, %s',
        async (_, order, outcomes) => {
          await storeCharge(test.database)
          for (const change of order) await take({ events: [byPeople(change)] })
          expect(await changes()).toEqual(
            outcomes.map((outcome) => ({
              kind: 'provider_refund',
              providerRefundId: 'PEOPLE',
              amountMinor: 500,
              outcome,
            })),
          )
        },
      )

      it('that people made count as returned before', async () => {
        await storeCharge(test.database)
        await take({ events: [byPeople('refunded')] })
        await refund()
        expect(books.requests[0]).toMatchObject({ returnedBeforeMinor: 500 })
      })

      it('of a charge that people cancelled whole are a refund of what is left', async () => {
        await storeCharge(test.database)
        await refund()
        await take({ events: [event('cancelled', { returnId: 'WHOLE' })] })
        expect(await changes()).toEqual([
          {
            kind: 'provider_refund',
            providerRefundId: 'WHOLE',
            amountMinor: CHARGED - 3000,
            outcome: 'PROCESSED',
          },
        ])
      })
    })

    it.each([
      ['charged_back', ['charged_back'], 'refused'],
      ['capture_failed', ['capture_failed'], 'refused'],
      ['charged_back, and reversed', ['charged_back', 'chargeback_reversed'], 'in_process'],
    ] as const)('%s decide whether a refund that waits is made', async (_, changed, kind) => {
      await storeCharge(test.database)
      const detail = 'tomorrow'
      books.faults.push({
        before: { kind: 'done', value: { state: 'too_early', detail, retryAfterMs: 0 } },
      })
      await refund()
      for (const change of changed) await take({ events: [event(change, { returnId: 'D' })] })
      test.clock.nowMs += DAY_MS
      await vault.followUpCharges()
      expect(await refund()).toMatchObject({ kind })
      expect(books.refunds).toHaveLength(kind === 'refused' ? 0 : 1)
      const reported = (await changes()).filter((change) => change.kind === 'refund_ended')
      expect(reported).toMatchObject(
        kind === 'refused' ? [{ kind: 'refund_ended', refundId: '7', outcome: 'REJECTED' }] : [],
      )
    })

    it('name a charge that a person has ended without a name', async () => {
      await storeCharge(test.database, { paymentId: undefined })
      expect(await refund()).toMatchObject({ kind: 'refused' })
      expect(await take({ events: [event('approved')] })).toEqual(['applied'])
      expect(await refund('8')).toEqual({ kind: 'in_process' })
      expect(books.requests).toMatchObject([{ paymentId: PAYMENT }])
      expect(await take({ events: [event('charged_back', { paymentId: 'OTHER' })] })).toEqual([
        'contradicting',
      ])
    })

    describe('of disputes', () => {
      const dispute = (change: AcquirerChange, day: number) =>
        event(change, { returnId: 'DISPUTE', atMs: Date.UTC(2026, 11, day) })

      it.each([
        ['in their order', [0, 1, 2], ['charged_back', 'chargeback_reversed', 'charged_back']],
        ['the other way round', [2, 1, 0], ['charged_back']],
        ['the win first', [1, 0, 2], ['charged_back']],
        ['the win last', [0, 2, 1], ['charged_back']],
      ])('never end otherwise than the last of them, %s', async (_, order, reported) => {
        await storeCharge(test.database)
        const events = [
          dispute('charged_back', 1),
          dispute('chargeback_reversed', 2),
          dispute('charged_back', 3),
        ]
        for (const place of order) await take({ events: events.slice(place, place + 1) })
        expect((await changes()).map((change) => change.kind)).toEqual(reported)
      })

      it('that won and lost at the same moment are won', async () => {
        await storeCharge(test.database)
        await take({ events: [dispute('chargeback_reversed', 1)] })
        await take({ events: [dispute('charged_back', 1)] })
        expect((await changes()).map((change) => change.kind)).toEqual([])
      })
    })

    describe('of open charges', () => {
      it.each([
        ['approved', 'approved'],
        ['declined', 'declined'],
        ['expired', 'declined'],
        ['cancelled', 'declined'],
      ] as const)('that report %s settle them as %s', async (change, outcome) => {
        await storeCharge(test.database, { state: 'pending' })
        expect(await take({ events: [event(change)] })).toEqual(['applied'])
        const [reported, ...others] = await vault.changes('production')
        expect(reported).toMatchObject({
          transactionCode: CODE,
          change: { kind: 'settled', answer: { kind: 'answered', outcome } },
        })
        expect(others).toEqual([])
        expect(await vault.recallAuthorization('production', CODE)).toMatchObject({ outcome })
      })

      it('that decline keep their reason', async () => {
        await storeCharge(test.database, { state: 'pending' })
        const decline = { reason: 'lost_card', code: '41', retry: { kind: 'never' } } as const
        expect(await take({ events: [event('declined', { decline })] })).toEqual(['applied'])
        expect(await vault.recallAuthorization('production', CODE)).toMatchObject({ decline })
      })

      it('are applied after the report that settled them, whatever came first', async () => {
        await storeCharge(test.database, { state: 'pending', paymentId: undefined })
        expect(await take({ events: [event('capture_failed')] })).toEqual(['contradicting'])
        expect(await take({ events: [event('charged_back', { returnId: 'D' })] })).toEqual([
          'contradicting',
        ])
        expect(await take({ events: [event('approved')] })).toEqual(['applied'])
        expect((await changes()).map((change) => change.kind)).toEqual([
          'settled',
          'capture_failed',
          'charged_back',
        ])
      })

      it('that approve what was ended otherwise have it cancelled', async () => {
        await storeCharge(test.database, { state: 'declined', paymentId: undefined })
        expect(await take({ events: [event('approved')] })).toEqual(['applied'])
        const cancels = await test.database.reader.selectFrom('card_cancels').selectAll().execute()
        expect(cancels).toMatchObject([{ payment_id: PAYMENT, state: 'wanted' }])
        expect(await changes()).toEqual([])
      })
    })

    describe('that are hints', () => {
      beforeEach(() => {
        kind = 'readable'
      })
      const read = async () => {
        test.clock.nowMs += 10 * SECOND_MS
        await vault.followUpCharges()
      }

      it('plan one read of a charge that is known, and change nothing', async () => {
        await storeCharge(test.database, { approvedAtMs: test.clock.nowMs })
        books.refunds.push({ refundId: 'people', amountMinor: 500 })
        expect(await take({ hints: [PAYMENT] })).toEqual(['hint'])
        expect(await take({ hints: [PAYMENT] })).toEqual(['hint'])
        expect(await take({ hints: ['UNKNOWN'] })).toEqual(['foreign'])
        await vault.followUpCharges()
        expect(await changes()).toEqual([])
        await read()
        const reported = await changes()
        expect(reported).toEqual([
          {
            kind: 'provider_refund',
            providerRefundId: `${PAYMENT}-1`,
            amountMinor: 500,
            outcome: 'PROCESSED',
          },
        ])
        const left = await test.database.reader.selectFrom('card_looks').selectAll().execute()
        expect(left).toEqual([])
      })

      it('report a chargeback and its end, each once', async () => {
        await storeCharge(test.database)
        const dispute = {
          disputeId: '1',
          amountMinor: minorUnits(CHARGED),
          reason: 'Fraude',
          status: 'Received',
          isReversed: false,
        }
        for (const isReversed of [false, false, true, true]) {
          books.disputes.splice(0, 1, { ...dispute, isReversed })
          await take({ hints: [PAYMENT] })
          await read()
        }
        expect((await changes()).map((change) => change.kind)).toEqual([
          'charged_back',
          'chargeback_reversed',
        ])
      })

      it('report nothing of a dispute that is won when it is first seen', async () => {
        await storeCharge(test.database)
        const dispute = {
          disputeId: '1',
          amountMinor: minorUnits(CHARGED),
          reason: 'Fraude',
          status: 'Received',
          isReversed: true,
        }
        books.disputes.push(dispute)
        await take({ hints: [PAYMENT] })
        await read()
        books.disputes.push({ ...dispute, disputeId: '2', isReversed: false })
        await take({ hints: [PAYMENT] })
        await read()
        expect((await changes()).map((change) => change.kind)).toEqual(['charged_back'])
      })

      it.each(['pending', 'approved'] as const)(
        'and %s charges wait for no account that cannot be used',
        async (state) => {
          for (let i = 1; i <= 20; i++) {
            const paymentId = `LOST${i}`
            await storeCharge(test.database, { code: String(i), state, paymentId, account: 'lost' })
            await test.database.transact((trx) =>
              trx
                .insertInto('card_looks')
                .values({
                  environment: 'production',
                  transaction_code: i,
                  look_at_ms: test.clock.nowMs,
                  is_later: 0,
                })
                .execute(),
            )
          }
          test.clock.nowMs += SECOND_MS
          await storeCharge(test.database, { state })
          books.refunds.push({ refundId: 'people', amountMinor: 500 })
          await take({ hints: [PAYMENT] })
          for (let i = 0; i < 5; i++) await read()
          const reported = (await changes()).map((change) => change.kind)
          expect(reported.at(-1)).toBe('provider_refund')
          expect(reported).toHaveLength(state === 'pending' ? 2 : 1)
          const lost = test.log.lines.filter((line) => line.includes('could not be looked at'))
          expect(lost.length).toBeLessThan(50)
        },
      )

      it.each(['asked', 'ending', 'pending'] as const)(
        'end a charge that is %s, once its acquirer knows its outcome',
        async (state) => {
          await storeCharge(test.database, { state })
          const { next_ask_at_ms: askedAgainAtMs } = await test.database.reader
            .selectFrom('card_charges')
            .select('next_ask_at_ms')
            .executeTakeFirstOrThrow()
          books.isPending = true
          expect(await take({ hints: [PAYMENT] })).toEqual(['hint'])
          await read()
          expect(await changes()).toEqual([])
          // The time of its gateway's next request is unchanged.
          if (state === 'asked')
            expect(
              await test.database.reader.selectFrom('card_charges').selectAll().execute(),
            ).toMatchObject([{ state, next_ask_at_ms: askedAgainAtMs, lease_until_ms: 0 }])
          books.isPending = false
          await take({ hints: [PAYMENT] })
          await read()
          expect(await changes()).toMatchObject([
            { kind: 'settled', answer: { outcome: 'approved', charge: { paymentId: PAYMENT } } },
          ])
        },
      )

      it('find that a refund was undone', async () => {
        await storeCharge(test.database)
        expect(await refund()).toEqual({ kind: 'done' })
        books.refunds.splice(0)
        await take({ hints: [PAYMENT] })
        await read()
        // The acquirer's sum may lag.
        expect(await changes()).toMatchObject([{ kind: 'refund_ended', outcome: 'PROCESSED' }])
        await acknowledge()
        test.clock.nowMs += DAY_MS
        await vault.followUpCharges()
        expect(await changes()).toMatchObject([
          { kind: 'refund_ended', refundId: '7', outcome: 'REJECTED' },
        ])
        expect(await refund()).toMatchObject({ kind: 'refused' })
      })

      it('that come while one is made are followed by another', async () => {
        await storeCharge(test.database)
        await take({ hints: [PAYMENT] })
        books.meanwhileRead = async () => {
          await take({ hints: [PAYMENT] })
        }
        await read()
        books.meanwhileRead = () => Promise.resolve()
        books.refunds.push({ refundId: 'people', amountMinor: 500 })
        await read()
        expect(await changes()).toHaveLength(1)
      })

      it('leave the charge to the process that works on it', async () => {
        await storeCharge(test.database)
        await take({ hints: [PAYMENT] })
        books.meanwhile = read
        expect(await refund()).toEqual({ kind: 'done' })
        books.meanwhile = () => Promise.resolve()
        await read()
        expect((await changes()).map((change) => change.kind)).toEqual(['refund_ended'])
      })

      it('are followed, however many before them are about leased charges', async () => {
        for (let i = 1; i <= 20; i++) {
          const paymentId = `LEASED${i}`
          await storeCharge(test.database, { code: String(i), paymentId })
          await take({ hints: [paymentId] })
        }
        test.clock.nowMs += 1
        await storeCharge(test.database)
        await take({ hints: [PAYMENT] })
        books.refunds.push({ refundId: 'people', amountMinor: 500 })
        await test.database.transact((trx) =>
          trx
            .updateTable('card_charges')
            .set({ lease_until_ms: test.clock.nowMs + 40 * SECOND_MS })
            .where('payment_id', '<>', PAYMENT)
            .execute(),
        )
        await read()
        await vault.followUpCharges()
        expect((await changes()).map((change) => change.kind)).toEqual(['provider_refund'])
      })

      it('are not needed for a charge that its acquirer decides later', async () => {
        await storeCharge(test.database, { state: 'pending' })
        books.isPending = true
        await vault.followUpCharges()
        test.clock.nowMs += MINUTE_MS
        books.isPending = false
        await vault.followUpCharges()
        expect(await changes()).toEqual([])
        test.clock.nowMs += 15 * MINUTE_MS
        await vault.followUpCharges()
        expect((await changes()).map((change) => change.kind)).toEqual(['settled'])
      })
    })

    it('that did not come leave numbers behind', async () => {
      await storeCharge(test.database)
      await refund()
      expect(await vault.census()).toMatchObject({ slowRefunds: { production: 0, sandbox: 0 } })
      test.clock.nowMs += 3 * DAY_MS + 1
      expect(await vault.census()).toMatchObject({
        slowRefunds: { production: 1, sandbox: 0 },
        oldestChangeAtMs: { production: undefined, sandbox: undefined },
      })
      await take({ events: [ofRefund('refunded')] })
      expect(await vault.census()).toMatchObject({
        slowRefunds: { production: 0, sandbox: 0 },
        oldestChangeAtMs: { production: test.clock.nowMs, sandbox: undefined },
      })
    })
  })
