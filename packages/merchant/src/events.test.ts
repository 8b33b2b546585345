import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type EndpointElement,
  type EventBody,
  endpointBodySchema,
  endpointListSchema,
  endpointRequestTable,
  endpointSecretSchema,
  eventBodySchema,
  eventListSchema,
} from '@cofre/contracts'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { listenAsGateway } from './gateway.fixture.js'
import { createMerchantClient } from './merchant-client.js'
import { verifyEvent } from './notification-signature.js'
import type { CreateEventEndpointRequest } from './request.js'

const CODE = 'evt_59557135709791_1'
const TIME = '2026-11-21T09:00:00.000-03:00'
const ENDPOINT: EndpointElement = {
  code: `ep_${'x'.repeat(24)}`,
  url: 'https://shop.example/events',
  types: ['link.paid'],
  enabled: true,
  'date-created': TIME,
  'failing-since': null,
  'previous-secret-until': null,
}
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3F2gVXvBd1s='
const EVENT: EventBody = {
  event: {
    code: CODE,
    type: 'saved-card.deleted',
    'date-created': TIME,
    data: { 'saved-card': { code: 'Zk3vT8QwLr5yXn2bJc7dHf9gKm4pRs6t' } },
    deliveries: [],
  },
}

async function clientOf(answer: object) {
  const { baseUrl, received } = await listenAsGateway({ status: 200, body: JSON.stringify(answer) })
  const client = createMerchantClient({ baseUrl, storeId: 'store-1', secret: 'segredo-çã-0123' })
  return { client, received }
}

describe('events in the client', () => {
  it('are listed by filters, found, and sent again', async () => {
    eventBodySchema.parse(EVENT)
    const one = await clientOf(EVENT)
    expect(await one.client.findEvent(CODE)).toEqual(EVENT.event)
    await one.client.sendEvent(CODE)
    await one.client.sendEvent(CODE, ENDPOINT.code)
    expect(one.received.map(({ method, target, body }) => [method, target, body])).toEqual([
      ['GET', `/events/${CODE}`, ''],
      ['POST', `/events/${CODE}/deliveries`, '{}'],
      ['POST', `/events/${CODE}/deliveries`, `{"endpoint":"${ENDPOINT.code}"}`],
    ])
    const list = await clientOf({ events: [EVENT.event], 'next-cursor': null })
    const found = []
    for await (const event of list.client.allEvents({ type: 'link.paid', limit: 5 }))
      found.push(event.code)
    expect(found).toEqual([CODE])
    expect(list.received[0]?.target).toBe('/events?type=link.paid&limit=5')
    expect(list.received[0]?.signatureHolds).toBe(true)
  })

  it('have endpoints that are created, changed, rotated and deleted', async () => {
    const answer = { 'event-endpoint': ENDPOINT, secret: SECRET }
    endpointSecretSchema.parse(answer)
    const { client, received } = await clientOf(answer)
    const { url } = ENDPOINT
    const made = await client.createEventEndpoint({ url, types: ['link.paid'] })
    expect(made).toEqual(answer)
    await client.changeEventEndpoint(ENDPOINT.code, { enabled: false })
    expect((await client.rotateEventEndpointSecret(ENDPOINT.code)).secret).toBe(SECRET)
    expect(await client.deleteEventEndpoint(ENDPOINT.code)).toEqual(ENDPOINT)
    expect(await client.findEventEndpoint(ENDPOINT.code)).toEqual(ENDPOINT)
    const place = `/event-endpoints/${ENDPOINT.code}`
    expect(received.map(({ method, target, body }) => [method, target, body])).toEqual([
      ['POST', '/event-endpoints', JSON.stringify({ url, types: ['link.paid'] })],
      ['POST', `${place}/changes`, '{"enabled":false}'],
      ['POST', `${place}/secret-rotations`, '{}'],
      ['POST', `${place}/deletion`, '{}'],
      ['GET', place, ''],
    ])
    const list = await clientOf({ 'event-endpoints': [ENDPOINT] })
    expect(await list.client.listEventEndpoints()).toEqual([ENDPOINT])
  })

  it('are refused before they are sent, if the call is wrong', async () => {
    const { client, received } = await clientOf(EVENT)
    await expect(client.findEvent('')).rejects.toThrow(TypeError)
    await expect(client.sendEvent(CODE, '')).rejects.toThrow('endpoint')
    await expect(client.createEventEndpoint({ url: '' })).rejects.toThrow('endpoint.url')
    await expect(client.listEvents({ kind: 'x' } as object)).rejects.toThrow('kind')
    expect(received).toEqual([])
  })
})

interface Vectors {
  readonly events: {
    readonly request: CreateEventEndpointRequest
    readonly made: object
    readonly repeated: object
    readonly endpoint: object
    readonly endpoints: object
    readonly pages: readonly object[]
    readonly found: object
    readonly refusedSecrets: readonly string[]
    readonly signed: readonly {
      readonly name: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      readonly secret: string
      readonly now: number
      readonly toleranceSeconds?: number
      readonly event: object | null
    }[]
  }
}

const FILE = path.join(import.meta.dirname, '../../../sdks/vectors.json')
const { events: vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors

describe('the vectors of events', () => {
  it('are requests and answers of the API', () => {
    const policy = { acceptsNotificationUrl: () => true, isEmpty: false }
    const judged = endpointRequestTable.validate(vectors.request, policy)
    expect(judged).toMatchObject({ ok: true })
    for (const body of [vectors.made, vectors.repeated]) endpointSecretSchema.parse(body)
    endpointBodySchema.parse(vectors.endpoint)
    endpointListSchema.parse(vectors.endpoints)
    for (const body of vectors.pages) eventListSchema.parse(body)
    eventBodySchema.parse(vectors.found)
  })

  it.each(vectors.signed)('read the event: $name', ({ now, event, ...vector }) => {
    const { toleranceSeconds: tolerance = 300, ...signed } = vector
    const judged = { now: new Date(now * 1000), toleranceMs: tolerance * 1000 }
    const read = verifyEvent({ ...signed, ...judged })
    const summary = read && {
      code: read.code,
      type: read.type,
      timestamp: read.timestamp,
      environment: read.environment,
      link: read.data['payment-link']?.code,
      payment: read.data.payment?.code,
      amount: read.data.payment?.amount,
    }
    expect(summary ?? null).toEqual(event)
  })

  it.each(vectors.refusedSecrets)('verify nothing with the secret %j', (secret) => {
    expect(() => verifyEvent({ headers: {}, body: '', secret })).toThrow('whsec_')
  })
})

describe('verifyEvent', () => {
  const now = new Date(1_790_000_000_000)
  const { type, data } = EVENT.event
  const message = { type, timestamp: '2026-11-21T12:00:00.000Z', environment: 'sandbox', data }
  const body = JSON.stringify(message)
  const headers = {
    'webhook-id': CODE,
    'webhook-timestamp': String(now.getTime() / 1000),
    'webhook-signature': new Webhook(SECRET).sign(CODE, now, body),
  }

  it('reads an event that the library of Standard Webhooks has signed', () => {
    expect(verifyEvent({ headers, body, secret: SECRET, now })).toEqual({ code: CODE, ...message })
  })

  it.each([
    ['another body', { body: body.replace('sandbox', 'production') }],
    ['another secret', { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }],
    ['another time', { now: new Date(now.getTime() + 600_000) }],
  ])('reads none with %s', (_, other) => {
    expect(verifyEvent({ headers, body, secret: SECRET, now, ...other })).toBe(undefined)
  })

  it("refuses the store's own secret", () => {
    expect(() => verifyEvent({ headers, body, secret: 'segredo', now })).toThrow('whsec_')
  })
})
