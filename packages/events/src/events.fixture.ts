// A gateway with endpoints of its stores, and the requests that they receive.
import { type Clock, MINUTE_MS, minorUnits } from '@cofre/contracts'
import type { TestEngine } from '@cofre/sql/testing'
import {
  APPROVED,
  AUTHORIZED,
  MERCHANT,
  NOW_MS,
  TEST_SECRET_KEY,
  type TestGateway,
  type TestOptions,
  cardRequest,
  openTestGateway,
} from '../../gateway/src/gateway.fixture.js'
import type { RefundId, TransactionCode } from '@cofre/gateway/room'
import { runOnce } from '@cofre/work'
import { sql } from 'kysely'
import { type EventsOptions, type EventsRoom, createEvents, eventFollows } from './index.js'
import type { DeliveryResult, OutgoingEvent } from './model/delivery.js'

/** The code of a payment's first event, if it happens at NOW_MS. */
export const firstEventOf = (code: TransactionCode): string =>
  `evt_${code}_${Math.floor(NOW_MS / MINUTE_MS) + 1}`

export const INTERVAL_MS = 600_000
export const ACCEPTED: DeliveryResult = { statusCode: 204 }
export const FAILED: DeliveryResult = { statusCode: 500 }

export interface TestEvents {
  readonly test: TestGateway
  readonly sent: OutgoingEvent[]
  /** The time of both clocks. */
  nowMs: number
  /** The answer of every endpoint. */
  answer: (event: OutgoingEvent) => DeliveryResult | Promise<DeliveryResult>
  /** Creates an endpoint by the API; resolves to its code and its secret. */
  endpoint(
    url?: string,
    more?: Record<string, unknown>,
  ): Promise<{ readonly code: string; readonly secret: string }>
  pay(reference: string): Promise<TransactionCode>
  /** A card that is captured later: until six days after NOW_MS. */
  authorize(reference: string): Promise<TransactionCode>
  decline(reference: string): Promise<TransactionCode>
  refund(code: TransactionCode, outcome: 'PROCESSED' | 'REJECTED'): Promise<void>
  /** The room, as another process opens it. */
  room(): EventsRoom
  /** Sends all that is due, as a worker of its own, and returns what was sent. */
  send(): Promise<readonly OutgoingEvent[]>
}

/** Makes a payment that of a try at the link `LinkCode`. */
export async function payByLink({ database }: TestGateway, code: number): Promise<void> {
  await database.transact(async (trx) => {
    await sql`insert into payment_links (id, merchant_id, reference, amount, description,
      methods, usage, installments, language, notification_url, created_by, created_at)
      values ('LinkCode', ${MERCHANT.id}, 'link', 10000, 'Café', '[]', 'once', 1, 'pt-BR',
      'https://shop.example/n', 'api', 1)`.execute(trx)
    await sql`insert into payment_link_tries (id, link_id, number, form_id, method, reference,
      transaction_code, open, created_at, next_look_at) values ('try', 'LinkCode', 1, 'form',
      'credit-card', 'link-1', ${code}, 1, 1, 1)`.execute(trx)
  })
}

export async function openTestEvents(
  engine: TestEngine,
  { sending, ...over }: TestOptions & { readonly sending?: Partial<EventsOptions> } = {},
): Promise<TestEvents> {
  const state: Pick<TestEvents, 'sent' | 'nowMs' | 'answer'> = {
    sent: [],
    nowMs: NOW_MS,
    answer: () => ACCEPTED,
  }
  const clock: Clock = { now: () => state.nowMs }
  let openRoom: (() => EventsRoom) | undefined
  const test = await openTestGateway(engine, {
    clock,
    machineClock: clock,
    followers: [eventFollows],
    purchaseLimits: { perTransactionMinor: minorUnits(10_000), perPeriodMinor: undefined },
    roomsOn(parts) {
      const sender = {
        async send(event: OutgoingEvent) {
          state.sent.push(event)
          return await state.answer(event)
        },
      }
      const options = { secretKeys: [TEST_SECRET_KEY], notifyIntervalMs: INTERVAL_MS } as const
      openRoom = () => createEvents({ ...parts, ...options, sender, ...sending })
      return [openRoom().eventRoutes]
    },
    ...over,
  })
  const open = (): EventsRoom => {
    if (openRoom === undefined) throw new Error('the gateway serves its rooms')
    return openRoom()
  }
  await test.gateway.saveMerchant({ ...MERCHANT, payerDeclines: 0, binDeclines: 0 })
  const order = async (reference: string, card = {}): Promise<TransactionCode> => {
    const body = cardRequest(reference, card)
    const { json } = await test.send('POST', '/transactions', { body })
    return Number((json.transaction as { code: string }).code) as TransactionCode
  }
  return Object.assign(state, {
    test,
    room: open,
    async endpoint(url = 'https://shop.example/events', more: Record<string, unknown> = {}) {
      const { json } = await test.send('POST', '/event-endpoints', { body: { url, ...more } })
      const { code } = json['event-endpoint'] as { code: string }
      return { code, secret: String(json.secret) }
    },
    pay(reference: string) {
      test.answerCards(() => Promise.resolve(APPROVED))
      return order(reference)
    },
    authorize(reference: string) {
      test.answerCards(() => Promise.resolve(AUTHORIZED))
      return order(reference, { capture: false })
    },
    decline(reference: string) {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
      return order(reference)
    },
    async refund(code: TransactionCode, outcome: 'PROCESSED' | 'REJECTED') {
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
      const { json } = await test.send('POST', '/refunds', { body })
      await test.parts.refunds.finish(Number(json['refund-id']) as RefundId, outcome, state.nowMs)
    },
    async send() {
      const before = state.sent.length
      await runOnce(open().eventWork)
      return state.sent.slice(before)
    },
  })
}

export interface SentMessage {
  readonly type: string
  readonly data: Record<string, Record<string, unknown>>
}

export const messageOf = ({ body }: OutgoingEvent): SentMessage => JSON.parse(body) as SentMessage
export const idOf = ({ headers }: OutgoingEvent): string => headers['webhook-id'] ?? ''
