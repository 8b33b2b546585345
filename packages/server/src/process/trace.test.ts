import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startCofre } from './start.js'
import { type Role, readConfig } from '../config/config.js'
import { type Span, startCollector } from '../observability/collector.fixture.js'
import { buyWithRawCard, createTestStore } from './purchase.fixture.js'
import { freePort } from '../http/free-port.fixture.js'

const SANDBOX_PORT = await freePort()
const VAULT_PORT = await freePort()
const SERVICE_PORT = await freePort()
const CARD = '4111111111111111'

describe('A payment through a vault in another process', () => {
  let dataDir: string
  let collector: Awaited<ReturnType<typeof startCollector>>
  let environ: Record<string, string>
  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-trace-'))
    collector = await startCollector()
    environ = {
      COFRE_SANDBOX_PORT: String(SANDBOX_PORT),
      COFRE_VAULT_PORT: String(VAULT_PORT),
      COFRE_VAULT_SERVICE_PORT: String(SERVICE_PORT),
      COFRE_VAULT_SERVICE_KEY: `k1:${randomBytes(32).toString('base64url')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    }
  })
  afterEach(async () => {
    await collector.close()
    rmSync(dataDir, { recursive: true })
  })

  const start = async (roles: Role[], over: Record<string, string>) => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => lines.push(line) })
    const running = await startCofre(readConfig({ ...environ, ...over }, 'serve'), roles, log)
    onTestFinished(async () => {
      await running.close()
    })
    return { lines, running }
  }
  it('is one trace, and one request in both logs, without a card in either', async () => {
    const ofVault = { COFRE_DATA_DIR: path.join(dataDir, 'vault') }
    const ofGateway = {
      COFRE_DATA_DIR: path.join(dataDir, 'gateway'),
      COFRE_VAULT_SERVICE_URL: `http://127.0.0.1:${SERVICE_PORT}`,
    }
    const vault = await start(['vault'], ofVault)
    const gateway = await start(['sandbox'], ofGateway)
    const { transaction } = await buyWithRawCard(
      SANDBOX_PORT,
      await createTestStore({ ...environ, ...ofGateway }),
    )
    expect(transaction.status).toBe('PAID')
    await gateway.running.close()
    await vault.running.close()

    const spans = collector.spans()
    const named = (name: string): Span => {
      const found = spans.find((span) => span.name === name)
      if (found === undefined) throw new Error(`no span ${name}`)
      return found
    }
    const root = named('POST /transactions')
    const asked = named('vault authorize')
    const served = named('POST /v1/authorizations')
    const acquired = named('acquirer authorize')
    expect(asked).toMatchObject({ traceId: root.traceId, parentSpanId: root.spanId })
    expect(served).toMatchObject({ traceId: root.traceId, parentSpanId: asked.spanId })
    expect(acquired).toMatchObject({ traceId: root.traceId, parentSpanId: served.spanId })

    const requestIn = (lines: string[], route: string) =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .find((line) => line.route === route)
    const [inGateway, inVault] = [
      requestIn(gateway.lines, '/transactions'),
      requestIn(vault.lines, '/v1/authorizations'),
    ]
    expect(inGateway?.requestId).toMatch(/^[\w-]{36}$/)
    expect(inVault).toMatchObject({
      requestId: inGateway?.requestId,
      traceId: root.traceId,
      status: 200,
    })
    for (const text of [...collector.bodies, ...gateway.lines, ...vault.lines])
      expect(text).not.toContain(CARD)
  })

  it('gives no access for a trace id, and ignores an invalid one', async () => {
    const vault = await start(['vault'], { COFRE_DATA_DIR: path.join(dataDir, 'vault') })
    const ask = async (traceparent: string) =>
      await fetch(`http://127.0.0.1:${SERVICE_PORT}/v1/ping`, {
        method: 'POST',
        body: '{}',
        headers: { traceparent, 'X-Request-Id': '9'.repeat(65) },
      })
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    expect((await ask(`00-${traceId}-b7ad6b7169203331-01`)).status).toBe(401)
    expect((await ask(`00-${CARD}-1-01`)).status).toBe(401)
    await vault.running.close()
    const spans = collector.spans().filter(({ name }) => name === 'POST /v1/ping')
    expect(spans.map((span) => span.traceId === traceId)).toEqual([true, false])
    expect(vault.lines.join('')).not.toContain('9'.repeat(65))
    expect(collector.bodies.join('')).not.toContain(CARD)
  })
})
