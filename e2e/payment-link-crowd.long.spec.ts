// Long: a crowd at two processes, and a kill of one.
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { startPostgres } from '../packages/sql/test/postgres-server.js'
import {
  type CofreProcess,
  LATER,
  type Ports,
  disableSimulator,
  environOverPostgres,
  freePort,
  freePorts,
  startCofre,
  startRoles,
} from './cofre-process.js'
import { cardFields, sendPayment as send } from './link-shopper.js'
import { makeLink } from './payment-link-story.js'
import { merchantAt } from './shop-request.js'

const SHOPPERS = 10

let stopPostgres: () => Promise<void>
let environ: Record<string, string>
let servicePort: number
test.beforeAll(async () => {
  stopPostgres = await startPostgres()
  servicePort = await freePort()
  environ = {
    ...environOverPostgres(process.env.COFRE_TEST_POSTGRES_URL ?? '', servicePort),
    // Each shopper has an IP address.
    COFRE_TRUSTED_PROXIES: '127.0.0.1/32',
    // `dev` allows it by default, `serve` does not.
    COFRE_NOTIFY_ALLOW: '127.0.0.0/8:*',
  }
})
test.afterAll(() => stopPostgres())

/** A second process that serves beside the one with all roles. */
async function startSecond({ dataDir }: CofreProcess): Promise<CofreProcess> {
  return startRoles('sandbox,worker', await freePorts(), {
    ...environ,
    COFRE_DATA_DIR: dataDir,
    COFRE_VAULT_SERVICE_URL: `http://127.0.0.1:${servicePort}`,
  })
}

async function triesOf({ ports }: CofreProcess, code: string) {
  return (await merchantAt(ports.sandbox).findPaymentLink(code)).tries
}

/** Number of card charges, by the vault's own books. */
async function cardCharges(): Promise<number> {
  const client = new pg.Client({ connectionString: environ.COFRE_VAULT_DATABASE_URL })
  await client.connect()
  const found = await client.query<{ charged: string }>(
    "select count(*) as charged from cofre_vault.authorizations where outcome = 'approved'",
  )
  await client.end()
  return Number(found.rows[0]?.charged)
}

/** The fields that each shopper sends. */
type Wallet = (number: number) => Promise<Record<string, string>>

const CROWDS: readonly (readonly [string, (ports: Ports) => Wallet])[] = [
  ['by card', (ports) => () => cardFields(ports)],
  [
    'by card and PIX',
    (ports) => (number) =>
      number % 2 === 0 ? cardFields(ports) : Promise.resolve({ method: 'pix' }),
  ],
]

test('ten shoppers at once at two processes open one payment of a link that is used once', async () => {
  const cofre = await startCofre(await freePorts(), environ)
  await disableSimulator({ ...environ, COFRE_DATA_DIR: cofre.dataDir })
  const second = await startSecond(cofre)
  const processes = [cofre, second]
  for (const [crowd, of] of CROWDS) {
    const { code } = await makeLink(cofre, 'sandbox')
    const wallet = of(cofre.ports)
    const fields = await Promise.all(Array.from({ length: SHOPPERS }, (_, i) => wallet(i)))
    const before = await cardCharges()
    const answers = await Promise.all(
      fields.map((sent, number) => {
        const { ports } = processes[number % processes.length] ?? cofre
        return send({ port: ports.sandbox, code, fields: sent, number })
      }),
    )
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const tries = await triesOf(cofre, code)
    const live = tries.filter(({ status }) => status === 'COMPLETE' || status === 'PENDING')
    expect(live, crowd).toHaveLength(1)
    const paid = tries.filter(({ status }) => status === 'COMPLETE')
    expect(await cardCharges(), crowd).toBe(before + paid.length)
  }
  await second.stop()
  await cofre.dispose()
})

test('a kill while shoppers pay leaves no link that cannot be paid, and none that is paid twice', async () => {
  let cofre = await startCofre(await freePorts(), environ)
  const { ports, dataDir } = cofre
  const before = await cardCharges()
  const links = await Promise.all(
    Array.from({ length: SHOPPERS }, () => makeLink(cofre, 'sandbox')),
  )
  const fields = await Promise.all(
    links.map((_, i) => (i % 2 === 0 ? cardFields(ports) : Promise.resolve({ method: 'pix' }))),
  )
  // At this point some requests have a response, some have none.
  const sent = links.map(async ({ code }, number) => {
    await send({ port: ports.sandbox, code, fields: fields[number] ?? {}, number })
  })
  await Promise.any(sent)
  await cofre.kill()
  await Promise.allSettled(sent)
  cofre = await startCofre(ports, { ...environ, ...LATER, COFRE_DATA_DIR: dataDir })
  for (const [number, { code }] of links.entries()) {
    const isPaid = async (): Promise<boolean> => {
      const tries = await triesOf(cofre, code)
      if (tries.some(({ status }) => status === 'COMPLETE')) return true
      await send({
        port: ports.sandbox,
        code,
        fields: await cardFields(ports),
        number: 100 + number,
      })
      return false
    }
    await expect.poll(isPaid, { intervals: [100, 1000] }).toBe(true)
    const tries = await triesOf(cofre, code)
    expect(tries.filter(({ status }) => status === 'COMPLETE')).toHaveLength(1)
    expect(tries.filter(({ status }) => status === 'PENDING')).toEqual([])
  }
  expect(await cardCharges()).toBe(before + links.length)
  await cofre.dispose()
})
