// Writes events, in the unit of work of the change that they report.
import { MINUTE_MS, type TransactionStatus } from '@cofre/contracts'
import { type Connection, type Statement, prepare } from '@cofre/sql'
import {
  type GatewayTables,
  type PaymentNews,
  type PaymentSubscriber,
  openToGo,
} from '@cofre/gateway/room'
import { type RawBuilder, sql } from 'kysely'
import { type NewEvent, eventOf } from '../model/event.js'

type Db = Connection<GatewayTables>
type EventRow = GatewayTables['events']

interface EventValues {
  readonly merchant_id: string
  readonly subject: string
  readonly type: string
  readonly data: string
  readonly created_at: number
  readonly next_attempt_at: number
}

function valuesOfEvent(event: NewEvent): EventValues {
  return {
    merchant_id: event.storeId,
    subject: event.subject,
    type: event.type,
    data: event.data,
    created_at: event.createdAtMs,
    next_attempt_at: event.dueAtMs,
  }
}

const COLUMNS = [
  'merchant_id',
  'subject',
  'type',
  'data',
  'created_at',
  'next_attempt_at',
  'position',
  'waiting',
] as const satisfies readonly (keyof EventRow)[]

interface Selected {
  readonly type: RawBuilder<string>
  readonly data: RawBuilder<string>
  /** Behind the last of its subject, and behind the minute. */
  readonly place: 1 | 2
}

// A union of parameters has no types on PostgreSQL.
const textOf = (text: string) => sql<string>`cast(${text} as text)`
const numberOf = (number: number) => sql<number>`cast(${number} as bigint)`

/** No delivery of an event waits if its store had no endpoint when it happened. */
function selected(db: Db, event: EventValues, { type, data, place }: Selected) {
  const { merchant_id: id, subject, created_at, next_attempt_at } = event
  const endpoint = db
    .selectFrom('event_endpoints')
    .select('code')
    .where('merchant_id', '=', id)
    .where('enabled', '=', sql.lit(1))
  // A position is never used again, although events are deleted: it is part of the webhook-id.
  const minute = sql<number>`${numberOf(created_at)} / ${sql.lit(MINUTE_MS)}`
  const last = sql<number>`max(earlier.position)`
  const behindBoth = db
    .selectFrom('events as earlier')
    .select(sql`case when ${last} > ${minute} then ${last} else ${minute} end`.as('position'))
    .where('earlier.merchant_id', '=', id)
    .where('earlier.subject', '=', subject)
  return [
    textOf(id).as('merchant_id'),
    textOf(subject).as('subject'),
    type.as('type'),
    data.as('data'),
    numberOf(created_at).as('created_at'),
    numberOf(next_attempt_at).as('next_attempt_at'),
    sql<number>`${behindBoth} + ${sql.lit(place)}`.as('position'),
    sql<number>`case when exists ${endpoint} then 1 else 0 end`.as('waiting'),
  ]
}

interface PaymentEvent extends EventValues {
  readonly code: number
  /** The payment's status after the change. */
  readonly status: TransactionStatus
}

interface Form {
  /** A link that the payment is of has an event, too. */
  readonly isPaid: boolean
  /** The condition on the transaction; undefined for none. */
  readonly onlyIf?: 'open' | 'open-to-go'
}

const insertion = ({ isPaid, onlyIf }: Form) =>
  prepare((db: Db, event: PaymentEvent) => {
    const own = ofPayment(db, event)
      .$if(onlyIf === 'open', (of) => of.where('transactions.open', '=', 1))
      .$if(onlyIf === 'open-to-go', (of) => of.where((where) => where.exists(openToGo(db, event))))
    const ofLinkToo = ofLink(db, event).$if(onlyIf === 'open-to-go', (of) =>
      of.where((where) => where.exists(openToGo(db, event))),
    )
    return db
      .insertInto('events')
      .columns(COLUMNS)
      .expression(isPaid ? own.unionAll(ofLinkToo) : own)
  })

/** No store hears of an example. */
function ofPayment(db: Db, event: PaymentEvent) {
  const { type, data } = event
  return db
    .selectFrom('transactions')
    .select(selected(db, event, { type: textOf(type), data: textOf(data), place: 1 }))
    .where('transactions.code', '=', event.code)
    .where('transactions.example', 'is', null)
}

/** The same data with the link. */
function ofLink(db: Db, event: PaymentEvent) {
  const data = sql<string>`'{"payment-link":{"code":"' || payment_link_tries.link_id || '"},'
    || substr(${textOf(event.data)}, 2)`
  return db
    .selectFrom('payment_link_tries')
    .select(selected(db, event, { type: sql`'link.paid'`, data, place: 2 }))
    .where('payment_link_tries.transaction_code', '=', event.code)
}

const insertEvent = insertion({ isPaid: false })
const insertPaid = insertion({ isPaid: true })
const insertIfOpen = insertion({ isPaid: false, onlyIf: 'open' })
const insertIfOpenToGo = insertion({ isPaid: false, onlyIf: 'open-to-go' })
const insertPaidIfOpenToGo = insertion({ isPaid: true, onlyIf: 'open-to-go' })

/** The event of a change of a payment, in its commit. */
export const recordEvent: PaymentSubscriber = ({ code, news }) => {
  const event = news && eventOf(news)
  if (event === undefined) return []
  const isPaid = event.type === 'payment.completed'
  const values = { code, status: 'COMPLETE' as TransactionStatus, ...valuesOfEvent(event) }
  if (!isIfOpen(news)) return [(isPaid ? insertPaid : insertEvent)(values)]
  if (news.kind === 'authorized') return [insertIfOpen(values)]
  const { status } = news.transaction
  return [(isPaid ? insertPaidIfOpenToGo : insertIfOpenToGo)({ ...values, status })]
}

type OpenNews = Extract<PaymentNews, { readonly isIfOpen: boolean }>

const isIfOpen = (news: PaymentNews | undefined): news is OpenNews =>
  news !== undefined && 'isIfOpen' in news && news.isIfOpen

const insertOfStore = prepare((db: Db, event: EventValues) =>
  db
    .insertInto('events')
    .columns(COLUMNS)
    .expression(
      db
        .selectFrom('merchants')
        .select(
          selected(db, event, { type: textOf(event.type), data: textOf(event.data), place: 1 }),
        )
        .where('merchants.id', '=', event.merchant_id),
    )
    // Two requests at once may report one deletion.
    .onConflict((conflict) => conflict.doNothing()),
)

/** An event of no payment. */
export const recordStoreEvent = (event: NewEvent): Statement => insertOfStore(valuesOfEvent(event))
