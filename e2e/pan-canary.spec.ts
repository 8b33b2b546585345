import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { startPostgres } from '../packages/sql/test/postgres-server.js'
import { NEEDLE, sendCardEveryWay } from './card-flows.js'
import {
  MARKED_CARD,
  type Place,
  placesOfFolder,
  placesOfLine,
  placesOfProcess,
  placesWithCardData,
} from './card-data-search.js'
import { freePort, freePorts } from './cofre-process.js'
import { type Receiver, startReceiver } from './receiver.js'
import { startRecordingProxy } from './recording-proxy.js'
import { type Shape, startInShape } from './shape.js'

interface Engine {
  readonly name: string
  readonly shape: Shape
  start(): Promise<{
    readonly environ: Record<string, string>
    /** The server's own files, write-ahead log included. */
    readonly folder?: string | undefined
    stop(): Promise<void>
  }>
}

const ENGINES: readonly Engine[] = [
  {
    name: 'SQLite',
    shape: 'one process',
    start: () => Promise.resolve({ environ: {}, stop: () => Promise.resolve() }),
  },
  {
    name: 'PostgreSQL',
    shape: 'stand-alone vault',
    async start() {
      const stop = await startPostgres()
      const url = process.env.COFRE_TEST_POSTGRES_URL ?? ''
      const environ = { COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url }
      return { environ, folder: process.env.COFRE_TEST_POSTGRES_DATA, stop }
    },
  },
]

for (const engine of ENGINES) {
  test(`a marked card is nowhere in the clear, on ${engine.name} with ${engine.shape}`, async () => {
    const database = await engine.start()
    const receiver = await startReceiver()
    const ports = await freePorts()
    const temporary = mkdtempSync(path.join(tmpdir(), 'cofre-canary-'))
    const [api, sandbox] = [
      await startRecordingProxy(await freePort(), ports.api),
      await startRecordingProxy(await freePort(), ports.sandbox),
    ]
    const running = await startInShape(engine.shape, ports, {
      ...database.environ,
      COFRE_PURCHASE_LIMIT: '10000000.00',
      ...Object.fromEntries(['TMPDIR', 'TMP', 'TEMP'].map((name) => [name, temporary])),
    })
    const refusals: string[] = []
    // Only `npm start`, which is one process, sets up accounts for cards in production.
    const behind = [
      { proxy: sandbox, port: ports.sandbox },
      { proxy: api, port: ports.api },
    ]
    const asked = engine.shape === 'one process' ? behind : behind.slice(0, 1)
    for (const { proxy, port } of asked) {
      const flows = {
        ports,
        apiPort: Number(new URL(proxy.url).port),
        signedOrigin: `http://127.0.0.1:${port}`,
        notificationUrl: receiver.url,
      }
      refusals.push(...(await sendCardEveryWay(flows)))
    }
    await expectNotifications(receiver, asked.length)

    // A shop may send a raw card, but never receives one.
    const answers = [...api.requests, ...sandbox.requests].map((request) => request.answer)
    const kinds: Readonly<Record<string, readonly Place[]>> = {
      'prints and files': running.processes.flatMap(placesOfProcess),
      'files of the server': database.folder === undefined ? [] : placesOfFolder(database.folder),
      'temporary files': placesOfFolder(temporary),
      'answers to the shop': answers.map((answer): Place => ['answer to the shop', answer]),
      refusals: refusals.map((text): Place => ['refusal', text]),
      notifications: receiver.received.map(({ body }): Place => ['notification', body]),
      'line to the vault': placesOfLine('line to the vault', running.vaultRequests),
    }
    expect(placesWithCardData(Object.values(kinds).flat())).toEqual([])

    // Proof that the search works: it finds the purchase in databases and logs, and a planted card
    // number.
    const holding = (kind: string, text: string): string[] =>
      (kinds[kind] ?? []).filter(([, content]) => content.includes(text)).map(([name]) => name)
    const databases = engine.name === 'SQLite' ? 'prints and files' : 'files of the server'
    expect(holding(databases, NEEDLE).length).toBeGreaterThan(0)
    expect(holding('prints and files', '"path":"/direct-tokens"').length).toBeGreaterThan(0)
    expect(holding('answers to the shop', NEEDLE).length).toBeGreaterThan(0)
    expect(refusals.length).toBeGreaterThan(10 * asked.length)
    expect(refusals.filter((text) => text === '')).toEqual([])
    const planted = (kinds[databases] ?? []).map(([name, content]): Place => [
      name,
      `${content.slice(0, 5000)}${MARKED_CARD.number}`,
    ])
    expect(placesWithCardData(planted)).toHaveLength(planted.length)

    await running.dispose()
    await Promise.all([api.close(), sandbox.close(), receiver.close(), database.stop()])
    rmSync(temporary, { recursive: true, force: true })
  })
}

/** Notifications of transactions and of refunds, from each environment. */
async function expectNotifications({ received }: Receiver, environments: number): Promise<void> {
  const reported = (kind: string): number =>
    received.filter(({ body }) => body.includes(kind)).length
  await expect.poll(() => reported('transaction-code=')).toBeGreaterThan(2 * environments)
  await expect.poll(() => reported('"refund-id"')).toBeGreaterThanOrEqual(environments)
}
