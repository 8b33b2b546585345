import { DAY_MS, Secret } from '@cofre/contracts'
import { createSecretWrapping } from '@cofre/gateway/room'
import { TEST_ENGINES, TEST_SQLITE } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { MERCHANT, TEST_SECRET_KEY } from '../../gateway/src/gateway.fixture.js'
import {
  sendSigned,
  signedByLibrary,
} from '../../gateway/src/api/request/message-signature.fixture.js'
import { type TestEvents, openTestEvents } from './events.fixture.js'
import { createSqlEndpointStore } from './sql/endpoint-store-sql.js'

const URL = 'https://shop.example/events'
const OTHER_STORE = { ...MERCHANT, id: 'store-2' }

describe.each(TEST_ENGINES)('endpoints on $name', (engine) => {
  let events: TestEvents
  beforeEach(async () => {
    events = await openTestEvents(engine)
    onTestFinished(() => events.test.close())
    await events.test.gateway.saveMerchant(OTHER_STORE)
  })
  const post = (target: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    events.test.send('POST', target, { body, headers })

  it('are created, read, changed and deleted by their store alone', async () => {
    const { code, secret } = await events.endpoint(URL, { types: ['link.paid'] })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const target = `/event-endpoints/${code}`
    const other = await events.test.send('GET', target, { merchant: OTHER_STORE })
    expect(other).toMatchObject({ status: 404, codes: [90625] })
    const shown = { code, url: URL, types: ['link.paid'], enabled: true, 'failing-since': null }
    expect((await events.test.send('GET', target)).json).toMatchObject({ 'event-endpoint': shown })
    const list = await events.test.send('GET', '/event-endpoints')
    expect(list.json).toMatchObject({ 'event-endpoints': [shown] })
    expect(list.text).not.toContain('whsec_')
    const changed = await post(`${target}/changes`, { enabled: false })
    expect(changed.json).toMatchObject({ 'event-endpoint': { ...shown, enabled: false } })
    expect((await post(`${target}/deletion`)).json).toEqual(changed.json)
    expect(await post(`${target}/deletion`)).toMatchObject({ status: 404, codes: [90625] })
    expect((await events.test.send('GET', '/event-endpoints')).json).toEqual({
      'event-endpoints': [],
    })
  })

  it('are ten of a store at most, however many are created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post('/event-endpoints', { url: URL })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 201),
      ...[422, 422],
    ])
    expect(answers.flatMap(({ codes }) => codes)).toEqual([90626, 90626])
  })

  it('keep the secret of a rotation whose answer was lost, if it is asked for again', async () => {
    const { code, secret: deployed } = await events.endpoint()
    const clock = { now: () => events.nowMs }
    const { database } = events.test
    const secrets = createSecretWrapping('production', [TEST_SECRET_KEY], 'event-endpoint')
    const store = createSqlEndpointStore({ database, clock, machineClock: clock, secrets })
    const rotate = (text: string, isRetry: boolean) =>
      store.rotate(
        { storeId: MERCHANT.id, code },
        { secret: new Secret(text), nonce: undefined, isRetry },
      )
    await rotate('whsec_lost', false)
    expect(await rotate('whsec_again', true)).toMatchObject({ secret: new Secret('whsec_lost') })
    const row = await database.reader.selectFrom('event_endpoints').selectAll().executeTakeFirst()
    expect(secrets.unwrap(code, row?.previous_secret ?? '').reveal()).toBe(deployed)
  })

  it('are signed for with both secrets for a day after a rotation', async () => {
    const { code, secret } = await events.endpoint()
    const { json } = await post(`/event-endpoints/${code}/secret-rotations`)
    expect(json.secret).not.toBe(secret)
    expect(json.secret).toMatch(/^whsec_/)
    const signatures = async (reference: string) => {
      await events.decline(reference)
      const [sent] = await events.send()
      return sent?.headers['webhook-signature']?.split(' ').length
    }
    expect(await signatures('during')).toBe(2)
    events.nowMs += DAY_MS
    expect(await signatures('after')).toBe(1)
  })

  it('show their secret once: a replayed answer has none, and none is stored in the clear', async () => {
    const keyed = () =>
      post('/event-endpoints', { url: URL }, { 'idempotency-key': 'k'.repeat(20) })
    const first = await keyed()
    const { secret } = first.json
    const replay = await keyed()
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(replay.json).toEqual({ ...first.json, secret: null })
    const { reader } = events.test.database
    for (const table of ['idempotency_keys', 'event_endpoints'] as const) {
      const stored = JSON.stringify(await reader.selectFrom(table).selectAll().execute())
      expect(stored).not.toContain(String(secret).slice('whsec_'.length))
    }
  })

  it('that are gone get nothing more', async () => {
    const { code } = await events.endpoint()
    await events.pay('paid')
    await post(`/event-endpoints/${code}/deletion`)
    expect(await events.send()).toEqual([])
    const rows = await events.test.database.reader
      .selectFrom('event_deliveries')
      .selectAll()
      .execute()
    expect(rows).toEqual([])
  })
})

describe('requests for endpoints', () => {
  let events: TestEvents
  const refused = 'https://inside.example/'
  beforeEach(async () => {
    const acceptsNotificationUrl = (url: string) => url !== refused
    const requestPolicy = { wallets: [], acceptsNotificationUrl }
    events = await openTestEvents(TEST_SQLITE, { requestPolicy })
    onTestFinished(() => events.test.close())
  })

  it.each([
    ['no address', {}, ['url']],
    ['an address that notifications may not reach', { url: refused }, ['url']],
    ['no URL', { url: 'ftp://a' }, ['url']],
    ['all wrong', { url: 1, types: ['x'], enabled: 'yes' }, ['url', 'types', 'enabled']],
    ['a type twice', { url: URL, types: ['link.paid', 'link.paid'] }, ['types']],
  ])('are refused with %s', async (_, body, properties) => {
    const { status, json } = await events.test.send('POST', '/event-endpoints', { body })
    expect(status).toBe(400)
    expect(json.errors).toMatchObject(properties.map((property) => ({ code: 90624, property })))
  })

  it('that change nothing are refused, and so are changes to a refused address', async () => {
    const { code } = await events.endpoint()
    for (const body of [{}, { url: refused }]) {
      const target = `/event-endpoints/${code}/changes`
      const answer = await events.test.send('POST', target, { body })
      expect(answer).toMatchObject({ status: 400, json: { errors: [{ property: 'url' }] } })
    }
  })

  it('DELETE want a signature that covers the method', async () => {
    const { code } = await events.endpoint()
    const target = `/event-endpoints/${code}`
    expect(await events.test.send('DELETE', target)).toMatchObject({ status: 401, codes: [90018] })
    const headers = await signedByLibrary('DELETE', target)
    expect(await sendSigned(events.test, ['DELETE', target], { headers })).toMatchObject({
      status: 200,
    })
  })
})
