import type { GatewayEnv } from '@cofre/gateway/http'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { MERCHANT } from '../../../gateway/src/gateway.fixture.js'
import { type EventSource, createEventStreams } from './event-stream.js'

describe('a stream', () => {
  it('without a reader ends in time, and holds neither place nor connection', async () => {
    const event = { id: '1', event: 'request', data: '{}' }
    const source: EventSource = {
      start: () => Promise.resolve('0'),
      isPosition: () => false,
      readFrom: () => ({ place: () => '0', next: () => Promise.resolve([event, event, event]) }),
    }
    const unlogged = () => undefined
    const respond = createEventStreams({
      backOffice: { findMerchant: () => Promise.resolve(MERCHANT) },
      machineClock: { now: () => 0 },
      log: { info: unlogged, warn: unlogged, error: unlogged },
      stopping: new AbortController().signal,
      lifeMs: 300,
    })
    const app = new Hono<GatewayEnv>()
    app.onError((_, context) => context.text('refused', 429))
    app.get('/', (context) => {
      context.set('merchant', MERCHANT)
      context.set('key', { id: 'first', scopes: ['read'], secrets: [MERCHANT.secret] })
      return respond(context, source)
    })
    let destroyed = 0
    const outgoing = { destroy: () => (destroyed += 1) }
    const ask = async () => (await app.request('/', {}, { outgoing })).status
    for (let i = 0; i < 10; i++) expect(await ask()).toBe(200)
    expect(await ask()).toBe(429)
    await expect.poll(() => destroyed).toBe(10)
    expect(await ask()).toBe(200)
  })
})
