// Long: kills workers, and the others take over their work.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { startPostgres } from '../packages/sql/test/postgres-server.js'
import {
  COFRE,
  type CofreProcess,
  disableSimulator,
  environOverPostgres,
  freePort,
  freePorts,
  startCofre,
} from './cofre-process.js'
import { cardOrder } from './orders.js'
import { merchantAt } from './shop-request.js'

/** More than one worker claims at once. */
const NOTIFICATIONS = 200
const WORKERS = 4
/** Time for the dead workers' leases to expire, even on a busy machine. */
const PATIENT = { timeout: 300_000 }

let stopPostgres: () => Promise<void>
let environ: Record<string, string>
/** A process with only the worker role uses the other process's vault. */
let workerEnviron: Record<string, string>
test.beforeAll(async () => {
  stopPostgres = await startPostgres()
  const servicePort = await freePort()
  workerEnviron = { COFRE_VAULT_SERVICE_URL: `http://127.0.0.1:${servicePort}` }
  environ = {
    ...environOverPostgres(process.env.COFRE_TEST_POSTGRES_URL ?? '', servicePort),
    COFRE_NOTIFY_INTERVAL: '5s',
    COFRE_NOTIFY_DELAY: '0',
  }
})
test.afterAll(() => stopPostgres())

/** A slow shop, which records a notification that reaches it twice at the same time. */
async function startSlowShop() {
  const deliveries = new Map<string, number>()
  const underWay = new Set<string>()
  const overlaps: string[] = []
  const shop = {
    isOpen: true,
    deliveries,
    underWay,
    overlaps,
    url: '',
    close: () => server.close(),
  }
  const server = createServer((request, answer) => {
    const id = String(request.headers['webhook-id'])
    if (underWay.has(id)) overlaps.push(id)
    underWay.add(id)
    request.resume().on('end', () => {
      // While closed, the shop receives the notification and never responds.
      if (!shop.isOpen) return
      setTimeout(() => {
        underWay.delete(id)
        deliveries.set(id, (deliveries.get(id) ?? 0) + 1)
        answer.end()
      }, 100)
    })
    // A worker that closes the connection has given up the delivery.
    answer.on('close', () => underWay.delete(id))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/n`
  return shop
}

/** A process with only the worker role, beside one with all roles. */
function startWorkerProcess({ dataDir }: CofreProcess): ChildProcess {
  return spawn(process.execPath, [COFRE, 'serve', '--roles', 'worker'], {
    env: {
      ...process.env,
      ...environ,
      ...workerEnviron,
      COFRE_DATA_DIR: dataDir,
      COFRE_NOTIFY_ALLOW: '127.0.0.0/8:*',
    },
    stdio: 'ignore',
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** Transactions whose notifications end after their first 200. */
async function cancelledTransactions(
  { ports }: CofreProcess,
  { url, prefix }: { readonly url: string; readonly prefix: string },
): Promise<void> {
  const merchant = merchantAt(ports.sandbox)
  const pay = (i: number) =>
    merchant.createTransaction(
      cardOrder('4000000000000002', { reference: `${prefix}-${i}`, notificationUrl: url }),
    )
  for (let i = 0; i < NOTIFICATIONS; i += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, j) => pay(i + j)))
  }
}

test('four workers on one database share the work: no notification goes to two, and the others take over from killed ones', async () => {
  const shop = await startSlowShop()
  const cofre = await startCofre(await freePorts(), environ)
  await disableSimulator({ ...environ, COFRE_DATA_DIR: cofre.dataDir })
  const others = Array.from({ length: WORKERS - 1 }, () => startWorkerProcess(cofre))
  await cancelledTransactions(cofre, { url: shop.url, prefix: 'alive' })
  await expect.poll(() => shop.deliveries.size, PATIENT).toBe(NOTIFICATIONS)
  expect(shop.overlaps).toEqual([])
  expect([...shop.deliveries.values()].filter((times) => times !== 1)).toEqual([])

  // All workers hold unanswered deliveries when all but one are killed.
  shop.isOpen = false
  await cancelledTransactions(cofre, { url: shop.url, prefix: 'dead' })
  await expect.poll(() => shop.underWay.size).toBeGreaterThan(0)
  await cofre.kill()
  await Promise.all(others.slice(1).map(end))
  shop.isOpen = true
  await expect.poll(() => shop.deliveries.size, PATIENT).toBe(2 * NOTIFICATIONS)
  expect(shop.overlaps).toEqual([])

  await Promise.all(others.map(end))
  await cofre.dispose()
  shop.close()
})
