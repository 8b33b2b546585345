import { ApiError, JSON_VALUES_MAX } from '@cofre/contracts'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { type GatewayEnv, limitedBody, readBody } from './signed-request.js'

const BYTES_MAX = 10

const app = new Hono<GatewayEnv>()
app.onError(
  (error) => new Response(null, { status: error instanceof ApiError ? error.status : 500 }),
)
app.use('/', limitedBody(BYTES_MAX))
app.post('/signed', limitedBody(JSON_VALUES_MAX * 8), async (c) => {
  await readBody(c)
  return new Response()
})
app.all('/', async ({ req }) => new Response(await req.text()))

/** A body that arrives byte by byte, and how much of it was read. */
function arriving(bytes: number) {
  let read = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        if (read === bytes) {
          controller.close()
          return
        }
        read += 1
        controller.enqueue(new Uint8Array([0x61]))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, read: () => read }
}

const post = async (body: ReadableStream, headers: Record<string, string>) =>
  await app.request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

describe('limitedBody', () => {
  it.each([
    ['declares its length', { 'Content-Length': '10' }],
    ['hides its length', {}],
    ['comes in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('lets a body through that %s and is not too large', async (_, headers) => {
    const response = await post(arriving(10).body, headers)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('a'.repeat(10))
  })

  it('refuses a body that declares too great a length, unread', async () => {
    const { body, read } = arriving(1000)
    expect((await post(body, { 'Content-Length': '11' })).status).toBe(413)
    expect(read()).toBe(0)
  })

  it.each([
    ['hides its length', {}],
    ['comes in chunks', { 'Transfer-Encoding': 'chunked' }],
    ['comes in chunks and belies its length', { 'Transfer-Encoding': 'x', 'Content-Length': '1' }],
  ])('reads no more than it may of a body that %s', async (_, headers) => {
    const { body, read } = arriving(1000)
    expect((await post(body, headers)).status).toBe(413)
    expect(read()).toBe(BYTES_MAX + 1)
  })

  it('refuses a body of too many values from any sender', async () => {
    const body = JSON.stringify({ cart: Array.from({ length: JSON_VALUES_MAX }, () => ({})) })
    const response = await app.request('/signed', { method: 'POST', body })
    expect(response.status).toBe(413)
  })

  it('accepts requests without a body', async () => {
    const headers = { 'Content-Length': '11' }
    expect((await app.request('/', { headers })).status).toBe(200)
  })
})
