import { DAY_MS, HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { activateWaitingCards } from '../../payment/card-activation-service.js'
import {
  APPROVED,
  AUTHORIZED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import { sendSigned, signedByLibrary } from '../../api/request/message-signature.fixture.js'
import { createNotificationRecord } from '../../../../notifications/src/index.js'
import { claimNotifications, deliver } from '../../../../notifications/src/notification-delivery.js'
import {
  deliveriesOf,
  withNotifications,
} from '../../../../notifications/src/notifications.fixture.js'
import {
  type BoletoGateway,
  openBoletoGateway,
} from '../../../../banks/src/payment/boleto-bank.fixture.js'
import { type PixGateway, openPixGateway } from '../../../../banks/src/payment/pix-bank.fixture.js'
import { sweepAccounts } from '../../../../banks/src/payment/bank-sweep-service.js'
import { readCharges } from '../../../../banks/src/payment/charge-read-service.js'
import { refundSurpluses } from '../../../../banks/src/payment/bank-refund-service.js'
import { applyCardChanges } from '../../payment/card-return-service.js'
import { capturePayment } from '../../payment/capture/authorized-end-service.js'
import {
  carryOutOrders,
  endUncaptured,
  remindOfUncaptured,
} from '../../payment/capture/capture-work-service.js'
import { processRefunds } from '../../payment/refund-service.js'
import { archiveAll, create, finish, openAgingGateway } from '../archive/archive.fixture.js'
import { createOperatorView } from '../../../../operator/src/operator-view.js'
import { expireUnpaid } from '../../payment/expiry-service.js'
import { askAfterOpenCharges, askAfterOpenIntents } from '../../payment/open-intent-service.js'
import { ARCHIVED_AFTER_MS } from '../../model/transaction/archive-age.js'
import type { SearchDate } from '../../model/transaction/search-query.js'
import { readAll } from '../../../../search/src/sql/search-index.fixture.js'
import { PUBLIC_ID_LENGTH } from '../../model/transaction/transaction.js'
import { createSqlReturnLineStore } from '../../../../boleto-files/src/sql/return-line-store-sql.js'
import { createPayerData } from '../../create-payer-data.js'
import { searchTransactions } from '../transaction/transaction-search-sql.js'
import { ARCHIVE_NAMES } from './archive.js'
import { FOLLOWED } from '../../../../search/src/search.fixture.js'
import { withOperator } from '../../../../operator/src/operator.fixture.js'

/** Tables that grow with every payment. */
const GROWING = {
  tables: [
    'transactions',
    'transaction_keys',
    'refund_keys',
    'payer_purchases',
    'captures',
    'card_declines',
    'notifications',
    'notification_attempts',
    'refunds',
    'refund_notes',
    'idempotency_keys',
    'request_nonces',
    'bank_charges',
    'charge_names',
    'bank_payments',
    'payment_links',
    'payment_link_tries',
    ...ARCHIVE_NAMES.values(),
  ],
  storeColumn: 'merchant_id',
}

/** The panel shows the number of a test store's notifications; production has no panel. */
const COUNT_FOR_PANEL = 'select count(*) as "found" from "notifications"'
/** Archiving reads the oldest one: the first of an index. */
const OLDEST_TO_ARCHIVE = 'select "code" from "transactions" order by "code" limit $1'

/** Indexes whose rooms have tests of their own. */
const OF_ROOMS = /^payment_link|^archived_refunds_of_store$|^captures_of_store$/

/** Another index finds as much without it, or no page of the console needs it here. */
const STOOD_IN_FOR = [
  // Any of them leads to the declines of the last hour; each one to those that its query counts.
  'card_declines_of_payer',
  'card_declines_of_address',
  'card_declines_of_store',
  'card_declines_of_link',
  'card_declines_at_links',
  // All unfinished ones have an index; these lead to what is due of a lane, or without a lane.
  'notifications_by_lane',
  'notifications_without_lane',
  // All authorized ones have an index; this one leads to those of which a store is reminded.
  'captures_to_remind',
  // For pages of the console that no test here opens.
  'bank_payments_of_account',
  // For the search, whose own test checks that it needs them.
  'archived_created_at',
  'archived_end_to_end',
  'bank_payments_end_to_end',
]

const REFUSED = {
  atMs: NOW_MS,
  statusCode: 500,
  error: undefined,
  durationMs: 1,
  responseExcerpt: '',
}

/** Activates the card of an order whose answer was lost, and which a bank reported as paid. */
async function activateLostAnswer(test: TestGateway): Promise<void> {
  test.answerCards(() => Promise.reject(new Error('connection reset')))
  await test.send('POST', '/transactions', { body: cardRequest('order-lost') })
  const { parts: deps } = test
  const { code } = (await deps.transactions.findByReference(MERCHANT.id, 'order-lost'))!
  await deps.transactions.changeStatus(code, { to: 'COMPLETE', atMs: NOW_MS })
  await activateWaitingCards(deps)
}

/** Sends a probe to a store that has failed for long. */
async function probe(test: TestGateway): Promise<void> {
  const { database } = test
  const { parts: deps } = test
  const deliveries = deliveriesOf(deps)
  const claim = async () => {
    for (const notification of await claimNotifications(deliveries, 10))
      await deliveries.notifications.recordAttempt(notification, REFUSED, NOW_MS)
  }
  const failing = { since: NOW_MS - HOUR_MS, probe_at: null, probes: 0 }
  await database.transact((trx) =>
    trx
      .insertInto('failing_stores')
      .values({ merchant_id: MERCHANT.id, ...failing })
      .execute(),
  )
  for (let i = 0; i < 12; i++) {
    const { json } = await test.send('POST', '/transactions', { body: cardRequest(`order-p${i}`) })
    await claim()
    expect(json.transaction).toBeDefined()
  }
  await claim()
  const { code } = (await deps.transactions.findByReference(MERCHANT.id, 'order-p1'))!
  await deliveries.notifications.resend(code, 1, NOW_MS)
  await claim()
}

/** Declines a card of a store that allows one decline. */
async function decline(test: TestGateway): Promise<void> {
  await test.gateway.saveMerchant({ ...MERCHANT, payerDeclines: 1 })
  test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
  const pay = (reference: string) =>
    test.send('POST', '/transactions', { body: cardRequest(reference) })
  expect((await pay('order-d1')).status).toBe(201)
  expect((await pay('order-d2')).codes).toEqual([210603])
}

/** A POST that is signed by RFC 9421, and sent again by another party. */
async function sendTwice(test: TestGateway, reference: string): Promise<void> {
  const body = JSON.stringify(cardRequest(reference))
  const headers = await signedByLibrary('POST', '/transactions', { body })
  const send = () => sendSigned(test, ['POST', '/transactions'], { body, headers })
  expect((await send()).status).toBe(201)
  expect((await send()).status).toBe(401)
  await test.parts.nonces.forget(NOW_MS + HOUR_MS)
}

async function refund(test: TestGateway, code: string | number): Promise<void> {
  const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds', amount: 10 }
  expect((await test.send('POST', '/refunds', { body })).status).toBe(201)
}

/** For a payment of R$ 100,00 of which 10 are refunded. */
async function actAsStaff(test: TestGateway, code: string): Promise<void> {
  const { paymentActs: acts } = withOperator(test).gateway
  await acts.block(MERCHANT.id, code, 'person:ana')
  await acts.possible(MERCHANT.id, code)
  await acts.unblock(MERCHANT.id, code)
  await acts.cancel(MERCHANT.id, code)
  const amountMinor = minorUnits(1_000)
  const of = { code, actor: 'person:ana', reason: 'other', note: '', formId: 'form-1' } as const
  const order = { ...of, amountMinor, remainingMinor: minorUnits(9_000) }
  const refusedFor = 'refund_already_requested'
  expect(await acts.refund(MERCHANT.id, order)).toEqual({ refusedFor })
}

async function doEverything(test: TestGateway): Promise<void> {
  const { parts: deps } = test
  const { backOffice, underReview } = withOperator(test).gateway
  const headers = { 'idempotency-key': 'once' }
  const paid = await test.send('POST', '/transactions', { body: cardRequest('order-1'), headers })
  const { code } = paid.json.transaction as { code: string }
  await test.send('POST', '/transactions', { body: cardRequest('order-1') })
  for (const rail of ['boleto', 'pix', 'pagseguro'] as const)
    await test.send('POST', '/transactions', { body: railRequest(`order-${rail}`, rail) })
  await test.send('GET', `/transactions/${code}`)
  for (const ageMs of [HOUR_MS, 2 * ARCHIVED_AFTER_MS]) {
    const since = encodeURIComponent(new Date(NOW_MS - ageMs).toISOString())
    for (const date of ['order', 'payment', 'last-status-change'])
      for (const status of ['', '&status=COMPLETE'])
        expect(
          (await test.send('GET', `/transactions?initial-${date}-date=${since}${status}`)).status,
        ).toBe(200)
  }
  await createPayerData(test.database).orders('529.982.247-25', NOW_MS, 10)
  await sendTwice(test, 'order-s')
  await refund(test, code)
  await actAsStaff(test, code)
  const deliveries = deliveriesOf(deps)
  for (const notification of await claimNotifications(deliveries, 10))
    await deliver(deliveries, notification)
  await processRefunds(deps)
  await askAfterOpenIntents(deps)
  await dispute(test, code)
  await endAuthorizations(test)
  await askAfterOpenCharges(deps)
  await activateLostAnswer(test)
  await probe(test)
  await expireUnpaid(deps)
  await deps.transactions.forgetPurchases(NOW_MS + 31 * DAY_MS)
  await decline(test)
  await deps.transactions.forgetDeclines(NOW_MS + HOUR_MS)
  await deps.idempotency.forget(NOW_MS + 2 * DAY_MS)
  await deps.transactions.findByPublicId('A'.repeat(PUBLIC_ID_LENGTH))
  const record = createNotificationRecord(test.database)
  await record.backlog()
  await record.lastRefusal(MERCHANT.id)
  await test.send('GET', '/transactions?reference=order-1')
  await underReview.count()
  await underReview.find(NOW_MS, 10)
  const { notifications } = withNotifications(test).gateway
  await notifications.list(MERCHANT.id, { limit: 10 })
  await notifications.list(MERCHANT.id, { after: `${NOW_MS + DAY_MS}-0-0`, limit: 10 })
  const start = { createdAtMs: NOW_MS, transactionCode: 0, position: 0 }
  await notifications.after(MERCHANT.id, start)
  await backOffice.dueBetween(MERCHANT.id, { afterMs: NOW_MS, untilMs: NOW_MS + DAY_MS })
  await backOffice.revision(MERCHANT.id)
  await readAll(test.database, NOW_MS)
  await readAll(test.database, NOW_MS + HOUR_MS)
}

/** One that is captured by the store, and one of which it is reminded, and that the rule voids. */
async function endAuthorizations(test: TestGateway): Promise<void> {
  test.answerCards(() => Promise.resolve(AUTHORIZED))
  for (const reference of ['order-a1', 'order-a2'])
    await test.send('POST', '/transactions', { body: cardRequest(reference, { capture: false }) })
  test.answerCards(() => Promise.resolve(APPROVED))
  const payment = (await test.parts.transactions.findByReference(MERCHANT.id, 'order-a1'))!
  const whole = { amountMinor: undefined, orderedBy: 'store' }
  expect(await capturePayment(test.parts, payment, whole)).toEqual({ kind: 'captured' })
  await remindOfUncaptured({ ...test.parts, clock: { now: () => NOW_MS + 4 * DAY_MS } })
  await endUncaptured({ ...test.parts, clock: { now: () => NOW_MS + 6 * DAY_MS } })
  await carryOutOrders(test.parts)
  expect(await test.parts.transactions.findByReference(MERCHANT.id, 'order-a2')).toMatchObject({
    status: 'CANCELLED',
  })
}

/** A charge at an acquirer, which reports a dispute and a refund. */
async function dispute(test: TestGateway, code: string): Promise<void> {
  const of = { transactionCode: code, atMs: NOW_MS }
  const amountMinor = minorUnits(1_000)
  const refund = { providerRefundId: 'P1', amountMinor, outcome: 'PROCESSED' } as const
  test.changes.push(
    { ...of, id: 'change-1', change: { kind: 'settled', answer: APPROVED } },
    { ...of, id: 'change-2', change: { kind: 'provider_refund', ...refund } },
    { ...of, id: 'change-3', change: { kind: 'charged_back', amountMinor } },
    { ...of, id: 'change-4', change: { kind: 'chargeback_reversed', amountMinor } },
  )
  await applyCardChanges(test.parts, AbortSignal.abort())
  expect(test.changes).toEqual([])
  await withOperator(test).gateway.backOffice.findTransaction(MERCHANT.id, code)
  expect(await createOperatorView(test.database).disputes(100)).toHaveLength(2)
}

/** PIX at the bank of an account: paid twice, refunded, swept, lost, and abandoned. */
async function doEverythingAtBank({ bank, create, find, parts, test, time }: PixGateway) {
  await create('order-1')
  const { code } = (await find('order-1'))!
  bank.pay()
  bank.pay()
  await test.gateway.noticeOf('bank-1', [bank.txid])
  await readCharges(parts)
  await sweepAccounts(parts)
  await refundSurpluses(parts)
  await refund(test, code)
  await processRefunds(parts)
  const [payment] = bank.charges.get(bank.txid)?.payments ?? []
  payment?.refunds.push({ id: 'D1', amountMinor: minorUnits(100), state: 'returned' })
  time.nowMs += MINUTE_MS
  await test.gateway.noticeOf('bank-1', [bank.txid])
  await readCharges(parts)
  expect((await parts.refunds.findOf([code])).get(code)).toMatchObject([
    { status: 'PROCESSED' },
    { status: 'PROCESSED', providerRefundId: 'D1' },
  ])
  await create('order-2')
  bank.pay()
  time.nowMs += MINUTE_MS
  await sweepAccounts(parts)
  await withOperator(test).gateway.backOffice.findTransaction(MERCHANT.id, String(code))
  await test.gateway.bankBacklog()
  await parts.surpluses.among([code])
  await createOperatorView(test.database).surpluses(100)
  bank.disturb('openCharge', 'cut-before')
  await create('order-3')
  time.nowMs += HOUR_MS
  bank.disturb('removeCharge', 'unavailable')
  await askAfterOpenCharges(parts)
}

/** A boleto at the bank of an account: issued late, named by files and notices, paid, and lost. */
async function issueBoletos({ bank, create, find, parts, test, time }: BoletoGateway) {
  bank.settings.takenAs = 'issuing'
  await create('order-1')
  const { code } = (await find('order-1'))!
  bank.decide('open')
  await test.gateway.noticeOf('bank-1', [bank.name])
  await readCharges(parts)
  const { ourNumber = '' } = (await parts.bankCharges.find(code)) ?? {}
  expect(
    (await createSqlReturnLineStore(test.database).ofNumbers('bank-1', [ourNumber])).get(ourNumber),
  ).toBe(code)
  time.nowMs += HOUR_MS
  await sweepAccounts(parts)
  bank.pay('pix')
  bank.pay('line')
  await test.gateway.noticeOf('bank-1', [bank.name])
  await readCharges(parts)
  await refund(test, code)
  await processRefunds(parts)
  bank.disturb('issue', 'cut-before')
  await create('order-2')
  time.nowMs += MINUTE_MS
  await create('order-2')
  await test.gateway.bankBacklog()
}

for (const engine of TEST_ENGINES) {
  describe(`queries on ${engine.name}`, () => {
    it('cost the same however many transactions there are, and need every index for it', async () => {
      const test = await openTestGateway(engine, FOLLOWED)
      onTestFinished(() => test.close())
      const atBank = await openPixGateway(engine)
      onTestFinished(() => atBank.close())
      const atBoletos = await openBoletoGateway(engine)
      onTestFinished(() => atBoletos.close())
      // Recorded from here on, because migrations run their queries only once.
      const queries = recordQueries()
      onTestFinished(queries.stop)
      await doEverything(test)
      await doEverythingAtBank(atBank)
      await issueBoletos(atBoletos)
      // Creates the archive's year, because a table without partitions is not read.
      await archiveAll(test.database)
      expect(queries.texts.size).toBeGreaterThan(30)
      // An index over all unfinished ones fits both conditions: PostgreSQL may use it for either.
      const mayReadBacklog = [...queries.texts].filter(
        (query) =>
          /"transaction_code" (?:=|in) [?$(]/.test(query) && query.includes('"done_at" is null'),
      )
      expect(mayReadBacklog).toEqual([])
      const scanning = (await queriesThatScan(test.database, queries.texts, GROWING)).filter(
        (query) => !query.startsWith(COUNT_FOR_PANEL) && query !== OLDEST_TO_ARCHIVE,
      )
      expect(scanning).toEqual([])
      const notNeeded = await indexesNotNeeded(test.database, queries.texts, GROWING)
      // The rooms of links and of the desk use their indexes.
      const own = notNeeded.filter((index) => !OF_ROOMS.test(index))
      expect(own.filter((index) => !STOOD_IN_FOR.includes(index))).toEqual([])
    })
  })
}

it('a search by the dates of orders reads only the partitions of its years', async () => {
  const postgres = TEST_ENGINES.find(({ name }) => name === 'postgres')!
  const old = await openAgingGateway(postgres)
  onTestFinished(() => old.close())
  const codes: number[] = []
  for (const year of [2026, 2027, 2028]) {
    old.time.nowMs = Date.UTC(year, 11, 31, 12)
    codes.push((await create(old, cardRequest(`order-${year}`))).code)
  }
  await finish(old)
  old.time.nowMs = Date.UTC(2031, 0, 1)
  expect(await archiveAll(old.database, old.time.nowMs)).toEqual({ archived: 3, kept: 0 })
  const search = (date: SearchDate, afterMs: number, beforeMs: number) =>
    old.database.transact(async (trx) => {
      const ranges = [{ date, afterMs, beforeMs }]
      const paging = { page: 1, pageSize: 10, reachesArchive: true }
      const query = { reference: undefined, status: undefined, ranges, ...paging }
      const { items } = await searchTransactions(trx, MERCHANT.id, query)
      // A query locks each partition that it may read until the unit of work ends.
      const { rows } = await sql<{ year: number }>`
        select distinct right(relname, 4)::integer as year from pg_locks
        join pg_class on pg_class.oid = relation
        where pid = pg_backend_pid() and relname ~ '^archived_transactions_[0-9]{4}$'
        order by year`.execute(trx)
      return { found: items.map(({ code }) => code), years: rows.map(({ year }) => year) }
    })
  const june = Date.UTC(2027, 5, 1)
  expect(await search('order', june, june + 30 * DAY_MS)).toEqual({ found: [], years: [2027] })
  const christmas = Date.UTC(2027, 11, 25)
  const overNewYear = await search('order', christmas, christmas + 14 * DAY_MS)
  expect(overNewYear).toEqual({ found: [codes[1]], years: [2027, 2028] })
  // A payment may follow years later.
  const byPayment = await search('payment', christmas, christmas + 14 * DAY_MS)
  expect(byPayment).toEqual({ found: [codes[1]], years: [2026, 2027, 2028, 2029] })
})
