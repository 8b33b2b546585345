// Long: kills the product under load, on both engines.
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import { startPostgres } from '../packages/sql/test/postgres-server.js'
import { BoletosAtAKill } from './boletos-at-a-kill.js'
import { LinksAtAKill } from './links-at-a-kill.js'
import { PixAtAKill } from './pix-at-a-kill.js'
import { type CofreProcess, LATER, type Ports, freePorts, startCofre } from './cofre-process.js'
import { cardOrder } from './orders.js'
import { type Receiver, startReceiver } from './receiver.js'
import { merchantAt } from './shop-request.js'

/** Number of kills under load: more with COFRE_KILLS=50. */
const KILLS = Number(process.env.COFRE_KILLS ?? 2)
const BUYERS = 8
/** Time limit for the work that the kills left; more load leaves more. */
const TIMEOUT_MS = 120_000 + KILLS * 5000

interface Load {
  /** Code of each acknowledged transaction, by reference. */
  readonly acknowledged: Map<string, string>
  readonly refunds: string[]
  /** References of transactions without a response. */
  readonly unanswered: string[]
  /** Result of a search for those after the kill. */
  readonly searched: Map<string, 'there' | 'none'>
}

interface Engine {
  readonly name: string
  /** Starts the databases; returns their environment and a function that ends them. */
  start(): Promise<{ readonly environ: Record<string, string>; stop(): Promise<void> }>
}

const ENGINES: readonly Engine[] = [
  {
    name: 'SQLite',
    start: () => Promise.resolve({ environ: {}, stop: () => Promise.resolve() }),
  },
  {
    name: 'PostgreSQL',
    async start() {
      const stop = await startPostgres()
      const url = process.env.COFRE_TEST_POSTGRES_URL ?? ''
      return { environ: { COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url }, stop }
    },
  },
]

for (const engine of ENGINES) {
  test(`a crash loses nothing that was acknowledged, and every due notification arrives, on ${engine.name}`, async () => {
    test.setTimeout(5 * TIMEOUT_MS + KILLS * 30_000)
    const receiver = await startReceiver()
    const database = await engine.start()
    const ports = await freePorts()
    const environ = {
      COFRE_NOTIFY_INTERVAL: '5s',
      COFRE_NOTIFY_DELAY: '0',
      COFRE_PURCHASE_LIMIT: '10000000.00',
      ...database.environ,
    }
    let cofre = await startCofre(ports, environ)
    const load: Load = {
      acknowledged: new Map(),
      refunds: [],
      unanswered: [],
      searched: new Map(),
    }
    const boletos = new BoletosAtAKill(ports, receiver.url)
    const pix = new PixAtAKill(ports, receiver.url)
    const links = new LinksAtAKill(ports, receiver.url)
    const others = [boletos, pix, links]
    for (let kill = 1; kill <= KILLS; kill++) {
      await buyUntilKilled(cofre, { ports, receiver, load, others, round: kill })
      // A refund that a kill interrupted is retried after its first pause of 90 s.
      const clock = kill === KILLS ? LATER : {}
      cofre = await startCofre(ports, { ...environ, ...clock, COFRE_DATA_DIR: cofre.dataDir })
      for (const reference of load.unanswered.splice(0))
        load.searched.set(reference, await searchResult(ports, reference))
    }
    expect(load.acknowledged.size).toBeGreaterThan(KILLS)
    await expectTransactions(ports, load)
    await expectNotifications(receiver, load)
    // The workers settled minutes ago what the kills left.
    for (const [reference, word] of load.searched)
      expect(await searchResult(ports, reference), reference).toBe(word)
    const seen: string[] = []
    for (const other of others) seen.push(await other.expectOnce(cofre, TIMEOUT_MS))
    console.log(
      `${engine.name}: ${KILLS} kills, ${load.acknowledged.size} transactions and ${load.refunds.length} refunds` +
        ` acknowledged, ${receiver.received.length} notifications received, ${load.searched.size} unanswered ones searched, nothing lost; ${seen.join('; ')}`,
    )
    await cofre.dispose()
    await database.stop()
    await receiver.close()
  })
}

/** Every acknowledged transaction exists and is paid. */
async function expectTransactions(ports: Ports, { acknowledged }: Load): Promise<void> {
  const merchant = clientOf(ports)
  for (const [reference, code] of acknowledged) {
    const found = await merchant.findTransaction(code)
    expect(found['order-id']).toBe(reference)
    expect(['COMPLETE', 'REFUNDED']).toContain(found.status)
  }
}

/** The client itself asks again for an undecided order. */
async function searchResult(ports: Ports, reference: string): Promise<'there' | 'none'> {
  const found = await clientOf(ports).findByReference(reference)
  return found === undefined ? 'none' : 'there'
}

function clientOf(ports: Ports) {
  return merchantAt(ports.sandbox, { timeoutMs: 10_000 })
}

/** Other purchases, with their required outcome. */
type AtAKill = Pick<BoletosAtAKill, 'acknowledged' | 'run' | 'expectOnce'>

interface Round {
  readonly ports: Ports
  readonly receiver: Receiver
  readonly load: Load
  readonly others: readonly AtAKill[]
  readonly round: number
}

/**
 * Buyers pay, refund, order boletos and PIX, and pay links until the process is killed at a random
 * moment.
 */
async function buyUntilKilled(
  cofre: CofreProcess,
  { ports, receiver, load, others, round }: Round,
): Promise<void> {
  const merchant = clientOf(ports)
  let isOver = false
  const buy = async (buyer: number): Promise<void> => {
    for (let i = 1; !isOver; i++) {
      const reference = `crash-${round}-${buyer}-${i}`
      try {
        const { transaction } = await merchant.createTransaction(
          cardOrder('4111111111111111', {
            reference,
            notificationUrl: receiver.url,
            payer: buyer,
          }),
        )
        load.acknowledged.set(reference, transaction.code)
        if (i % 3 !== 0) continue
        const refund = { 'transaction-id': Number(transaction.code), 'notify-url': receiver.url }
        load.refunds.push(await merchant.createRefund(refund))
      } catch (error) {
        if (!(error instanceof MerchantConnectionError || error instanceof MerchantApiError))
          throw error
        if (!load.acknowledged.has(reference)) load.unanswered.push(reference)
      }
    }
  }
  const buyers = [
    ...Array.from({ length: BUYERS }, (_, buyer) => buy(buyer)),
    ...others.map((other) => other.run(() => isOver, cofre)),
  ]
  const before = load.acknowledged.size
  const othersBefore = others.map(({ acknowledged }) => acknowledged)
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(before + BUYERS)
  for (const [i, other] of others.entries())
    await expect.poll(() => other.acknowledged).toBeGreaterThan(othersBefore[i] ?? 0)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 500))
  await cofre.kill()
  isOver = true
  await Promise.all(buyers)
}

/**
 * The shop is notified of every acknowledged transaction and refund, in order within each
 * transaction and kind.
 */
async function expectNotifications(
  { received }: Receiver,
  { acknowledged, refunds }: Load,
): Promise<void> {
  const reported = (): string => received.map(({ body }) => body).join('\n')
  await expect
    .poll(
      () =>
        [...acknowledged.values()].filter(
          (code) => !reported().includes(`transaction-code=${code}&`),
        ),
      { timeout: TIMEOUT_MS },
    )
    .toEqual([])
  await expect
    .poll(() => refunds.filter((id) => !reported().includes(`"refund-id":${id},`)), {
      timeout: TIMEOUT_MS,
    })
    .toEqual([])
  const last = new Map<string, number>()
  for (const { id, body } of received) {
    const [code = '', position = '0'] = id.split('-')
    const queue = `${code} ${body.startsWith('{') ? 'refunds' : 'statuses'}`
    expect(Number(position)).toBeGreaterThanOrEqual(last.get(queue) ?? 0)
    last.set(queue, Number(position))
  }
}
