import { MerchantApiError, MerchantConnectionError, createSandboxClient } from '@cofre/merchant'
import { describe, expect, it } from 'vitest'
import { type Followed, followSandbox } from './sandbox-stream.js'

type Answer = (headers: Headers, url: string) => Response

const READY = 'event: ready\ndata: {}\nid: 1\n\n'

/** A stream of single bytes, followed by an end or a failure. */
function streamOf(text: string, failure?: Error): Response {
  const bytes = new TextEncoder().encode(text)
  let next = 0
  const body = new ReadableStream({
    pull(controller) {
      if (next < bytes.length) controller.enqueue(bytes.subarray(next, ++next))
      else if (failure === undefined) controller.close()
      else controller.error(failure)
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}

function refusal(status: number, code: number): Response {
  return Response.json({ errors: [{ code, description: 'why' }] }, { status })
}

/** Follows a sandbox that gives these answers, as far as they go. */
async function follow(
  ...answers: readonly Answer[]
): Promise<{ heard: Followed[]; error: unknown }> {
  const stopping = new AbortController()
  const left = [...answers]
  const options = {
    baseUrl: 'http://sandbox.example',
    storeId: 'store-1',
    secret: 'a secret',
    signature: 'specification' as const,
    fetch(url: unknown, { headers }: RequestInit = {}) {
      const answer = left.shift()
      if (answer === undefined) stopping.abort()
      return Promise.resolve().then(
        () => answer?.(new Headers(headers), url as string) ?? streamOf(''),
      )
    },
  }
  const request = { target: '/sandbox/x?last=1', signal: stopping.signal, pauseMs: 1 }
  const heard: Followed[] = []
  try {
    for await (const each of followSandbox(createSandboxClient(options), request)) heard.push(each)
    return { heard, error: undefined }
  } catch (error) {
    return { heard, error }
  }
}

describe('followSandbox', () => {
  it('continues where the connection broke, however the stream is divided', async () => {
    const places: (string | null)[] = []
    const noted =
      (answer: Response): Answer =>
      (headers) => {
        places.push(headers.get('last-event-id'))
        return answer
      }
    const text = `${READY}: still here\n\nevent: request\ndata: {"text":"ação: 1"}\nid: 7\n\nevent: request\nda`
    const { heard } = await follow(
      noted(streamOf(text, new Error('reset'))),
      noted(streamOf(`${READY.replace('1', '7')}data: {"text":"2"}\nid: 8\n\n`)),
    )
    expect(heard).toEqual([
      { kind: 'connected' },
      { kind: 'event', data: { text: 'ação: 1' } },
      { kind: 'lost' },
      { kind: 'connected' },
      { kind: 'event', data: { text: '2' } },
    ])
    expect(places).toEqual([null, '7'])
  })

  it('signs each connection, and hides a regular end by the sandbox', async () => {
    const signatures = new Set<string | null>()
    const signed: Answer = (headers, url) => {
      expect(url).toBe('http://sandbox.example/sandbox/x?last=1')
      signatures.add(headers.get('authorization'))
      return streamOf(READY)
    }
    expect((await follow(signed, signed)).heard).toEqual([{ kind: 'connected' }])
    // printf '%s' '/sandbox/x?last=1' | openssl dgst -sha256 -hmac 'a secret'
    expect([...signatures]).toEqual([
      'store-1:8978b4b6dd41588d185094048be20a5632f149a95101d2d9a9b8f415d6e57e10',
    ])
  })

  it('ends when the sandbox refuses it for good, and tries again when it may pass', async () => {
    const { heard, error } = await follow(
      () => streamOf(READY),
      () => refusal(429, 90005),
      () => refusal(401, 10003),
    )
    expect(heard).toEqual([{ kind: 'connected' }, { kind: 'lost' }])
    expect(error).toMatchObject({ status: 401 })
  })

  it.each<[string, Answer, unknown]>([
    ['a refusal', () => refusal(503, 90006), MerchantApiError],
    ['a page', () => new Response('<h1>Welcome</h1>'), MerchantConnectionError],
    [
      'nothing',
      () => {
        throw new TypeError('fetch failed')
      },
      MerchantConnectionError,
    ],
  ])('ends at %s in place of its first stream', async (_, answer, kind) => {
    const { heard, error } = await follow(answer)
    expect(heard).toEqual([])
    expect(error).toBeInstanceOf(kind)
  })
})
