import { HOUR_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Developer,
  type OpenPanel,
  PANEL_URL,
  addressOf,
  signedIn,
} from '../testing/whole-console.fixture.js'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})
afterEach(() => {
  panel.stopping.abort()
})

interface Stream {
  /** The next event on the wire; undefined at the end. */
  next(): Promise<string | undefined>
  close(): Promise<void>
}

async function follow(): Promise<Stream | number> {
  const cookie = [...panel.developer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await panel.app.request(`${PANEL_URL}${addressOf('/changes')}`, {
    headers: { Cookie: cookie },
  })
  const reader = response.body?.getReader()
  if (response.status !== 200 || reader === undefined) return response.status
  return {
    async next() {
      const { value } = await reader.read()
      return value === undefined ? undefined : new TextDecoder().decode(value)
    },
    close: () => reader.cancel(),
  }
}

async function open(): Promise<Stream> {
  const stream = await follow()
  if (typeof stream === 'number') throw new Error(`answered ${stream}`)
  return stream
}

describe('live updates', () => {
  it('send the version at once, and when it changes', async () => {
    const stream = await open()
    expect(await stream.next()).toMatch(/^event: version\ndata: revision-0\..+\n\n$/)
    await panel.backOffice.deleteTestData('store-1')
    expect(await stream.next()).toMatch(/^event: version\ndata: revision-1\..+\n\n$/)
  })

  it('report the end of the session, and end', async () => {
    const stream = await open()
    await stream.next()
    panel.clock.nowMs += 12 * HOUR_MS
    expect(await stream.next()).toBe('event: signed-out\ndata: \n\n')
    expect(await stream.next()).toBeUndefined()
  })

  it('keep no unused session alive', async () => {
    const stream = await open()
    await stream.next()
    panel.clock.nowMs += HOUR_MS
    expect(await stream.next()).toBe('event: signed-out\ndata: \n\n')
    expect(await follow()).toBe(303)
  })

  it('end when the process stops', async () => {
    const stream = await open()
    await stream.next()
    panel.stopping.abort()
    expect(await stream.next()).toBeUndefined()
  })

  it('end when they fail, without revealing why', async () => {
    const revision = () => Promise.reject(new Error('a secret of the database'))
    Object.assign(panel.backOffice, { revision })
    const stream = await open()
    expect(await stream.next()).toBeUndefined()
    expect(panel.logged).toHaveLength(1)
  })

  it('are at most six a session, and closing one makes room', async () => {
    const streams = await Promise.all(Array.from({ length: 6 }, open))
    expect(await follow()).toBe(429)
    for (const stream of streams) await stream.next()
    await streams[0]!.close()
    await expect.poll(() => follow().then((stream) => typeof stream)).toBe('object')
  })
})
