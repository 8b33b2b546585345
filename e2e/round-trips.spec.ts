import { rmSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@playwright/test'
import { startPostgres } from '../packages/sql/test/postgres-server.js'
import {
  type Ports,
  disableSimulator,
  freePorts,
  startCofre,
  startRoles,
  startRolesWithAcquirers,
} from './cofre-process.js'
import { type Asked, type CountedLine, openCountedLine } from './counted-line.js'
import {
  type ShopperCard,
  cardPurchase,
  depositCard,
  headersOfOrder,
  merchantAt,
} from './shop-request.js'
import { openSimulatorPage } from './simulator-page.js'

const CARD = { number: '4111111111111111', cvv: '737' }
/** The test store sends it to Cielo. */
const CARD_AT_ACQUIRER = { number: '5066991111111050', cvv: '737' }
const TRIES = 10
/**
 * Limits per request. Each request reads the sandbox's clock once; a payment also reads whether
 * the store keeps cards itself. docs/architecture/cost-of-a-payment.md explains the statements of a
 * payment.
 */
const MOST = {
  payment: { roundTrips: 10, statements: 20, commits: 6 },
  search: { roundTrips: 3, statements: 3, commits: 0 },
}
/** The query of declines by BIN uses another connection, at the same time as commit 1. */
const MOST_AT_ACQUIRER = { roundTrips: 7, statements: 19, commits: 4 }
/** A notice would be processed while its payment is measured. */
const NO_NOTICES = {
  notices: 'never',
  refunds: 'from-next-day',
  queryLagMs: '0',
  delayMs: '0',
  connection: 'kept',
}
const SETTLED_MS = 300

/**
 * The lowest counts of several tries, or the first that equal the limits. Background work of the
 * process can only increase the counts of a request.
 */
async function fewestAsked(
  line: CountedLine,
  most: Asked,
  ask: (i: number) => Promise<void>,
): Promise<Asked> {
  const costs: Asked[] = []
  for (let i = 0; i < TRIES && !costs.some((cost) => isDeepStrictEqual(cost, most)); i++) {
    // The sandbox writes its request log after each response.
    await pause(SETTLED_MS)
    const before = line.asked()
    await ask(i)
    const after = line.asked()
    costs.push({
      roundTrips: after.roundTrips - before.roundTrips,
      statements: after.statements - before.statements,
      commits: after.commits - before.commits,
    })
  }
  const fewest = (of: (cost: Asked) => number): number => Math.min(...costs.map(of))
  return {
    roundTrips: fewest((cost) => cost.roundTrips),
    statements: fewest((cost) => cost.statements),
    commits: fewest((cost) => cost.commits),
  }
}

/** A separate store, for processes whose connection to PostgreSQL is counted. */
interface Installation {
  readonly line: CountedLine
  readonly ports: Ports
  readonly environ: Readonly<Record<string, string>>
  readonly dispose: () => Promise<void>
}

async function makeInstallation(): Promise<Installation> {
  const stopPostgres = await startPostgres()
  const line = await openCountedLine(process.env.COFRE_TEST_POSTGRES_URL ?? '')
  const databases = { COFRE_DATABASE_URL: line.url, COFRE_VAULT_DATABASE_URL: line.url }
  const ports = await freePorts()
  // Creates the store. This process also has a worker, which polls for work all the time.
  const maker = await startCofre(ports, databases)
  await maker.stop()
  return {
    line,
    ports,
    environ: {
      ...databases,
      COFRE_DATA_DIR: maker.dataDir,
      COFRE_NOTIFY_ALLOW: '127.0.0.0/8:*',
    },
    dispose: async () => {
      line.close()
      await stopPostgres()
      rmSync(maker.dataDir, { recursive: true, force: true })
    },
  }
}

/** One token per try. */
async function depositForTries(ports: Ports, card: ShopperCard): Promise<string[]> {
  const tokens: string[] = []
  for (let i = 0; i < TRIES; i++) tokens.push(await depositCard(ports, card))
  return tokens
}

/** The try's order, paid with its token. */
function purchase(i: number, tokens: readonly string[]) {
  return cardPurchase(`trip-${i}`, { installments: 1, token: tokens[i] ?? '' })
}

test('a request asks PostgreSQL no more than it must', async () => {
  const { line, ports, environ, dispose } = await makeInstallation()
  await disableSimulator(environ)
  const cofre = await startRoles('sandbox,vault', ports, environ)
  const merchant = merchantAt(ports.sandbox)

  let code = ''
  const tokens = await depositForTries(ports, CARD)
  // The store; the idempotency key, also in the format of 0.2, with the signature's nonce; the
  // intent; the token; the authorization with its token; its outcome with the audit entry; the
  // transaction's outcome with its notification and event; the response under the key. Each of the
  // six units of work is sent in one batch.
  const payment = await fewestAsked(line, MOST.payment, async (i) => {
    const { transaction } = await merchant.createTransaction(purchase(i, tokens))
    code = transaction.code
  })
  // The store; the transaction, with the flags of a waiting notification and of refunds.
  const search = await fewestAsked(line, MOST.search, async () => {
    await merchant.findTransaction(code)
  })
  expect({ payment, search }).toEqual(MOST)

  await cofre.stop()
  await dispose()
})

test('a payment at an acquirer asks PostgreSQL no more than it must', async () => {
  const { line, ports, environ, dispose } = await makeInstallation()
  const cofre = await startRolesWithAcquirers('api,vault', ports, environ)
  const post = await openSimulatorPage(`http://127.0.0.1:${ports.cielo}`)
  expect((await post('/settings', NO_NOTICES)).status).toBe(303)

  const tokens = await depositForTries(ports, CARD_AT_ACQUIRER)
  // The store; the intent; the token with the accounts; the authorization with its token and its
  // charge, unless the card was declined; its outcome with the audit entry; the transaction's
  // outcome with the notification and the event. Each of the four units of work is sent in one
  // batch.
  const payment = await fewestAsked(line, MOST_AT_ACQUIRER, async (i) => {
    const body = JSON.stringify(purchase(i, tokens))
    const answer = await fetch(`http://127.0.0.1:${ports.api}/transactions`, {
      method: 'POST',
      headers: headersOfOrder(body),
      body,
    })
    expect(await answer.json()).toMatchObject({ transaction: { status: 'PAID' } })
  })
  expect(payment).toEqual(MOST_AT_ACQUIRER)

  await cofre.stop()
  await dispose()
})
