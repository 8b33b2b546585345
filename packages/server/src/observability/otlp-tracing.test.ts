import { SECOND_MS, Secret, minorUnits } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { servedRequests } from '../http/serve.js'
import { testApplication, testServing } from '../http/serving.fixture.js'
import { startCollector } from './collector.fixture.js'
import { createMetrics } from './metrics.js'
import { observedCardPayments, observedSender, tracedAcquirer } from './observed-ports.js'
import { createTracing } from './otlp-tracing.js'
import type { Tracing } from './tracing.js'

const CARD = '4111111111111111'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`

describe('Tracing', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let tracing: Tracing
  let serving: ReturnType<typeof testServing>
  beforeEach(async () => {
    collector = await startCollector()
    serving = testServing()
    tracing = createTracing(collector.url, '0.0.0', serving)
  })
  afterEach(() => collector.close())

  it('sends a request with what it requested as its children, and nothing of card or payer', async () => {
    const observers = { metrics: createMetrics('0.0.0'), tracing }
    const unknown = { kind: 'unknown', detail: 'no answer' } as const
    const acquirer = tracedAcquirer({ authorize: () => Promise.resolve(unknown) }, observers)
    const card = new Secret({
      number: CARD,
      holder: 'MARIA',
      expirationMonth: 12,
      expirationYear: 2030,
    })
    const cards = observedCardPayments(
      {
        async authorize(order) {
          const { environment, transactionCode, amountMinor, payerEmail: email } = order
          await acquirer.authorize({
            key: { installation: 'test', environment, transactionCode },
            earlier: undefined,
            card: card as never,
            brand: 'visa',
            amountMinor,
            installments: 1,
            payer: { name: 'MARIA', document: undefined, email, ip: undefined },
            storedCredential: undefined,
            threeDSecure: undefined,
          })
          return {
            kind: 'answered',
            outcome: 'approved',
            card: { brand: 'visa', bin: CARD.slice(0, 6), lastFour: '1111' },
          }
        },
        recallAuthorization: () => Promise.resolve(undefined),
        hasArrived: () => Promise.resolve(true),
        authenticate: () => Promise.resolve(undefined),
        activateSavedCard: () => Promise.resolve(),
        refund: () => Promise.resolve({ kind: 'done' }),
        capture: () => Promise.resolve({ kind: 'done' }),
        voidCharge: () => Promise.resolve({ kind: 'done' }),
        changes: () => Promise.resolve([]),
        acknowledge: () => Promise.resolve(),
        coverAccounts: () => Promise.resolve(),
        setFieldSettings: ({ revision }) => Promise.resolve(revision),
      },
      observers,
    )
    const app = testApplication(async () => {
      await cards.authorize({
        environment: 'production',
        merchantId: 'store-1',
        transactionCode: '59572800088955',
        source: { kind: 'token', token: CARD },
        payerEmail: 'maria@example.com',
        amountMinor: minorUnits(100),
        installments: 1,
        saveCard: false,
      })
      return new Response()
    })
    const deps = { ...serving, tracing, role: 'api' }
    const incoming = { socket: { remoteAddress: '10.0.0.1' }, headers: {} }
    const request = new Request('http://x/transactions/1', { headers: { traceparent: PARENT } })
    await servedRequests(app, deps)(request, { incoming })
    await tracing.close()

    const [asked, acquired, root] = [
      'vault authorize',
      'acquirer authorize',
      'GET /transactions/:code',
    ].map((name) => collector.spans().find((span) => span.name === name))
    expect(root).toMatchObject({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331' })
    expect(asked?.parentSpanId).toBe(root?.spanId)
    expect(acquired?.parentSpanId).toBe(asked?.spanId)
    expect(asked?.attributes).toContainEqual({
      key: 'cofre.outcome',
      value: { stringValue: 'approved' },
    })
    expect(collector.paths).toEqual(['/v1/traces'])
    expect(JSON.parse(serving.lines[0] ?? '{}')).toMatchObject({ traceId: TRACE })
    for (const secret of [CARD, '411111', '1111"', 'maria', 'MARIA'])
      expect(collector.bodies.join('')).not.toContain(secret)
  })

  it('sends only the kind of a failure', async () => {
    await expect(
      tracing.span('job', () => Promise.reject(new TypeError(`no card ${CARD}`))),
    ).rejects.toThrow(TypeError)
    await tracing.close()
    expect(collector.spans()).toMatchObject([
      { attributes: [{ key: 'error.type', value: { stringValue: 'TypeError' } }] },
    ])
    expect(collector.bodies.join('')).not.toContain(CARD)
  })

  it('sends deliveries without their address', async () => {
    const metrics = createMetrics('0.0.0')
    const answers = [{ statusCode: 200 }, { statusCode: 500 }, { error: 'timeout' as const }]
    const sender = observedSender(
      {
        send: () => Promise.resolve({ ...answers.shift(), durationMs: 1, responseExcerpt: '' }),
      },
      'sandbox',
      { metrics, tracing },
    )
    for (let i = 0; i < 3; i++)
      await sender.send({ url: 'https://shop.example/secret-path', headers: {}, body: '' })
    await tracing.close()
    const { values } = await metrics.deliveries.get()
    expect(values.map(({ labels }) => labels.result)).toEqual([
      'acknowledged',
      'other_status',
      'timeout',
    ])
    expect(collector.spans()).toHaveLength(3)
    expect(collector.bodies.join('')).not.toContain('shop.example')
  })

  it('counts the spans that the collector refuses, and logs it', async () => {
    collector.answer.status = 400
    for (let i = 0; i < 3; i++) await tracing.span('job', () => Promise.resolve())
    await tracing.close()
    expect((await serving.metrics.spansDropped.get()).values).toMatchObject([{ value: 3 }])
    expect(serving.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 40, msg: 'collector refused spans; they are lost until it accepts them' },
    ])
  })

  it(
    'never holds a request when the collector is gone',
    async () => {
      const gone = createTracing('http://127.0.0.1:9', '0.0.0', serving)
      expect(await gone.span('job', () => Promise.resolve(1))).toBe(1)
      await gone.close()
    },
    30 * SECOND_MS,
  )
})
