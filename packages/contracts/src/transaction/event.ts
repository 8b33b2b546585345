// Events of a store: their types, bodies and endpoints. Ours: the specification's notifications
// stay as they are.
import { z } from 'zod'
import { type FieldRules, compileFieldTable, valueAt } from '../validation/field-table.js'
import { DECLINE_REASONS } from './decline.js'
import { SAVED_CODE } from './limits.js'
import { PAYMENT_METHODS, PAYMENT_STATUSES, refundSchema } from './payment.js'
import * as fields from './request-fields.js'
import { decimalDigits, timestamp } from './response.js'

/** Why a payment ended without being paid. */
export const CANCELLATION_REASONS = [
  'declined',
  'cancelled',
  'expired',
  'not-paid',
  /** It was approved, and failed afterwards. */
  'capture-failed',
  /** It was authorized, and its acquirer released it because its time was over. */
  'authorization-expired',
  /** It was authorized, and released before it was captured. */
  'voided',
] as const
export type CancellationReason = (typeof CANCELLATION_REASONS)[number]

/** A payment in events: codes and amounts, nothing of the payer. */
const paymentSchema = z.strictObject({
  code: decimalDigits,
  reference: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  method: z.enum(PAYMENT_METHODS),
  'method-name': z.string().nullable(),
  currency: z.literal('BRL'),
  amount: z.number(),
  'charged-amount': z.number(),
  /** Absent unless it was authorized first, and captured. */
  'captured-amount': z.number().optional(),
  installments: z.int(),
  'date-created': timestamp,
  'date-changed': timestamp,
  /** Absent unless it is authorized. */
  'capture-before': timestamp.optional(),
})
export type EventPayment = z.output<typeof paymentSchema>

const parts = {
  payment: paymentSchema,
  reason: z.enum(CANCELLATION_REASONS),
  /** Null unless a card was declined. */
  'decline-reason': z.enum(DECLINE_REASONS).nullable(),
  refund: refundSchema.omit({ metadata: true }),
  'saved-card': z.strictObject({ code: z.string().regex(SAVED_CODE) }),
  'payment-link': z.strictObject({ code: z.string() }),
}

const { payment, refund } = parts
const ofPayment = z.strictObject({ payment })
const ofRefund = z.strictObject({ refund })

/** The data of each type of event. */
export const EVENT_DATA = {
  'payment.under-review': ofPayment,
  'payment.authorized': ofPayment,
  'payment.capture-due': ofPayment,
  'payment.completed': ofPayment,
  'payment.cancelled': z.strictObject({
    payment,
    reason: parts.reason,
    'decline-reason': parts['decline-reason'],
  }),
  'chargeback.opened': ofPayment,
  'chargeback.reversed': ofPayment,
  'refund.processed': ofRefund,
  'refund.rejected': ofRefund,
  'saved-card.deleted': z.strictObject({ 'saved-card': parts['saved-card'] }),
  'link.paid': z.strictObject({ 'payment-link': parts['payment-link'], payment }),
} as const satisfies Readonly<Record<string, z.ZodType>>
export type EventType = keyof typeof EVENT_DATA
export type EventData<Type extends EventType> = z.output<(typeof EVENT_DATA)[Type]>

export const EVENT_TYPES = Object.keys(EVENT_DATA) as readonly EventType[]
const eventTypeSchema = z.enum(Object.keys(EVENT_DATA) as [EventType, ...EventType[]])

/** `evt_59000000000001_2`: its payment or card, and its position among the events of that. */
export const EVENT_CODE = /^evt_(?<subject>[A-Za-z0-9]{1,32})_(?<position>[1-9]\d{0,8})$/
export const ENDPOINT_CODE = /^ep_[A-Za-z0-9]{24}$/

const eventSchema = z.strictObject({
  code: z.string().regex(EVENT_CODE),
  type: eventTypeSchema,
  'date-created': timestamp,
  data: z.strictObject(parts).partial(),
})
export type EventElement = z.output<typeof eventSchema>

/** Body of `200 OK` of `GET /events`. */
export const eventListSchema = z.strictObject({
  events: z.array(eventSchema),
  'next-cursor': z.string().nullable(),
})
export type EventListBody = z.output<typeof eventListSchema>

export const EVENT_DELIVERY_STATES = ['waiting', 'held', 'delivered'] as const
const deliverySchema = z.strictObject({
  endpoint: z.string().regex(ENDPOINT_CODE),
  state: z.enum(EVENT_DELIVERY_STATES),
  attempts: z.int(),
  'date-attempted': timestamp.nullable(),
  'next-attempt': timestamp.nullable(),
  'status-code': z.int().nullable(),
  error: z.string().nullable(),
})
export type EventDeliveryElement = z.output<typeof deliverySchema>

/** Body of `200 OK` of `GET /events/{code}` and of `POST /events/{code}/deliveries`. */
export const eventBodySchema = z.strictObject({
  event: eventSchema.extend({ deliveries: z.array(deliverySchema) }),
})
export type EventBody = z.output<typeof eventBodySchema>

/** The body that an endpoint receives, as Standard Webhooks have it. */
export const eventMessageSchema = z.strictObject({
  type: eventTypeSchema,
  timestamp: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  environment: z.enum(['production', 'sandbox']),
  data: z.strictObject(parts).partial(),
})
export type EventMessage = z.output<typeof eventMessageSchema>

export interface EndpointPolicy extends Pick<fields.StorePolicy, 'acceptsNotificationUrl'> {
  /** True if a change names no field. */
  readonly isEmpty: boolean
}

/** Reads the facts from a body of any shape. */
export function endpointFacts(
  body: unknown,
  policy: Omit<EndpointPolicy, 'isEmpty'>,
): EndpointPolicy {
  const names = ['url', 'types', 'enabled']
  return { ...policy, isEmpty: names.every((name) => valueAt(body, [name]) === undefined) }
}

const rules = new Map<z.core.$ZodType, FieldRules<EndpointPolicy>>()

/** Every failure of an endpoint's body has one code. */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Partial<FieldRules<EndpointPolicy>> = {},
): Schema {
  const name = 'event_endpoint_invalid'
  rules.set(schema, { missing: name, invalid: name, ...conditions })
  return schema
}

const areTypes = (value: unknown): boolean =>
  Array.isArray(value) &&
  new Set(value).size === value.length &&
  value.every((one) => EVENT_TYPES.some((type) => type === one))

const typesField = () =>
  field(z.array(z.string()).min(1).max(EVENT_TYPES.length), {
    acceptedWhen: areTypes,
    boundsWhen: () => ({ allowed: EVENT_TYPES }),
  }).optional()

const enabledField = () => field(z.boolean(), { isShown: true }).optional()

const endpointRequestSchema = field(
  z.object({
    url: field(fields.urlSchema.clone(), { acceptedWhen: fields.isNotificationUrl }),
    types: typesField(),
    enabled: enabledField(),
  }),
)
export type EndpointRequest = z.output<typeof endpointRequestSchema>

/** Every field of `POST /event-endpoints`. */
export const endpointRequestTable = compileFieldTable(endpointRequestSchema, rules)

const endpointChangeSchema = field(
  z.object({
    url: field(fields.urlSchema.clone().optional(), {
      acceptedWhen: fields.isNotificationUrl,
      requiredWhen: ({ isEmpty }) => isEmpty,
    }),
    types: typesField(),
    enabled: enabledField(),
  }),
)
export type EndpointChange = z.output<typeof endpointChangeSchema>

/** Every field of `POST /event-endpoints/{code}/changes`. */
export const endpointChangeTable = compileFieldTable(endpointChangeSchema, rules)

const sendingRules = new Map<z.core.$ZodType, FieldRules<undefined>>()
function sendingField<Schema extends z.ZodType>(schema: Schema): Schema {
  sendingRules.set(schema, { missing: 'event_sending_invalid', invalid: 'event_sending_invalid' })
  return schema
}

/** Every field of `POST /events/{code}/deliveries`. */
export const eventSendingTable = compileFieldTable(
  sendingField(z.object({ endpoint: sendingField(z.string().regex(ENDPOINT_CODE)).optional() })),
  sendingRules,
)

const endpointSchema = z.strictObject({
  code: z.string().regex(ENDPOINT_CODE),
  url: z.string(),
  /** `null`: all, those of later releases too. */
  types: z.array(eventTypeSchema).nullable(),
  enabled: z.boolean(),
  'date-created': timestamp,
  /** Since when nothing was accepted; `null` if the last was. */
  'failing-since': timestamp.nullable(),
  /** Until when the secret before signs too; `null` without one. */
  'previous-secret-until': timestamp.nullable(),
})
export type EndpointElement = z.output<typeof endpointSchema>

export const endpointBodySchema = z.strictObject({ 'event-endpoint': endpointSchema })
export type EndpointBody = z.output<typeof endpointBodySchema>

/** With the secret, which no other answer has: `null` when the answer is replayed. */
export const endpointSecretSchema = z.strictObject({
  'event-endpoint': endpointSchema,
  secret: z.string().nullable(),
})
export type EndpointSecretBody = z.output<typeof endpointSecretSchema>

export const endpointListSchema = z.strictObject({ 'event-endpoints': z.array(endpointSchema) })
export type EndpointListBody = z.output<typeof endpointListSchema>
