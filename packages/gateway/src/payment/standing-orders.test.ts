import { ApiError, type CardAnswer, type CardService, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES, type TestEngine } from '@cofre/sql/testing'
import { beginDeadline } from '@cofre/work'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNotificationRecord } from '../../../notifications/src/index.js'
import { createOperatorView, findPayment } from '../../../operator/src/operator-view.js'
import { APPROVED, MERCHANT, NO_RETURNS, cardRequest, railRequest } from '../gateway.fixture.js'
import { readAll } from '../../../search/src/sql/search-index.fixture.js'
import type { UseCaseParts } from '../composition/gateway-parts.js'
import {
  boletoRequest,
  createFakeBoletoBank,
} from '../../../banks/src/payment/boleto-bank.fixture.js'
import {
  dyingProcess,
  stallingProcess,
  work,
} from '../../../banks/src/payment/dying-process.fixture.js'
import {
  accountOf,
  createFakeBank,
  openPixGateway,
} from '../../../banks/src/payment/pix-bank.fixture.js'
import { searchOne, searchTransactions } from './search-service.js'
import { createTransaction, readTransactionRequest } from './transaction-service.js'
import { searchOf } from '../../../search/src/search.fixture.js'
import { notificationsOf } from '../ledger/transaction/notifications.fixture.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'

/** A vault that charges each order once, and remembers what it refuses from now on. */
function createMemoryVault() {
  const charged = new Set<string>()
  const refused = new Set<string>()
  const recall = (code: string): CardAnswer | undefined => {
    if (charged.has(code)) return APPROVED
    refused.add(code)
    return undefined
  }
  const cards: CardService = {
    ...NO_RETURNS,
    authorize({ transactionCode: code }) {
      if (refused.has(code)) return Promise.resolve({ kind: 'refused', reason: 'token_invalid' })
      charged.add(code)
      return Promise.resolve(APPROVED)
    },
    recallAuthorization: (_, code) => Promise.resolve(recall(code)),
    hasArrived: (_, code) => Promise.resolve(recall(code) !== undefined),
    authenticate: () => Promise.resolve(undefined),
    activateSavedCard: () => Promise.resolve(),
  }
  return { cards, charged }
}

const SAVED_CODE = 'A'.repeat(32)

/** An order for each method; PIX and boletos are paid at a bank, or by rails that simulate one. */
const METHODS = {
  card: (reference: string) => cardRequest(reference),
  'saved card': (reference: string) =>
    cardRequest(reference, { token: undefined, code: SAVED_CODE }),
  boleto: (reference: string) => boletoRequest(reference),
  pix: (reference: string) => railRequest(reference, 'pix'),
  wallet: (reference: string) => railRequest(reference, 'pagseguro'),
}
type Method = keyof typeof METHODS

async function openShop(engine: TestEngine, bankOf: 'a bank' | 'rails') {
  const vault = createMemoryVault()
  const time = { now: (): number => 0 }
  const pix = createFakeBank(() => time.now())
  const boleto = createFakeBoletoBank(() => time.now())
  const shop = await openPixGateway(engine, {
    cards: vault.cards,
    // Without a bank, the rails simulate it.
    bankOf: bankOf === 'rails' ? undefined : () => ({ pix: pix.bank, boleto: boleto.bank }),
    pause: () => Promise.resolve(),
  })
  onTestFinished(() => shop.close())
  time.now = () => shop.time.nowMs
  await shop.parts.accounts.create(accountOf('bank-2'), ['boleto'], 'operator:ana')
  return { ...shop, vault, pix, boleto }
}
type Shop = Awaited<ReturnType<typeof openShop>>

/** All views of the store's orders, with their contents for one order. */
async function shownBy(shop: Shop, reference: string) {
  const { parts, database, time, gateway } = shop
  await readAll(database, time.nowMs)
  // The period of this order and the one before.
  const all = { 'initial-order-date': new Date(time.nowMs - 13 * MINUTE_MS).toISOString() }
  const finder = searchOf(shop).payments
  const operator = createOperatorView(database)
  const notifications = createNotificationRecord(database)
  const { backOffice } = withOperator({ gateway, parts }).gateway
  const found = await parts.transactions.findByReference(MERCHANT.id, reference)
  const code = String(found?.code ?? 1)
  const listed = await searchTransactions(parts, MERCHANT, { ...all, 'max-page-results': '10' })
  const named = await operator.list({ reference, sinceMs: time.nowMs, limit: 10 })
  const counted = await backOffice.milestones(MERCHANT.id)
  const console = await finder.find(MERCHANT.id, { limit: 100 })
  const searched = await finder.find(MERCHANT.id, { text: reference })
  const isIt = (one: { readonly reference: string }): boolean => one.reference === reference
  return {
    list: listed.results.some(({ transaction }) => isIt(transaction)),
    count: listed.found === listed.results.length,
    operators: named.length > 0,
    operator: (await findPayment({ database, notifications }, code)) !== undefined,
    console: console.items.some(({ transaction }) => isIt(transaction)),
    'search in the console': searched.items.some(({ transaction }) => isIt(transaction)),
    page: (await backOffice.findTransaction(MERCHANT.id, code)) !== undefined,
    counted: Object.values(counted).filter((at) => at !== null).length,
  }
}

/** The answer to a search by an order's own name. */
type SearchResult = 'none' | 'ask-again' | 'there'

async function ask(
  search: () => Promise<{ readonly results: readonly unknown[] }>,
): Promise<SearchResult> {
  try {
    return (await search()).results.length === 0 ? 'none' : 'there'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.status === 503 ? 'ask-again' : 'none'
  }
}

const byReference = (
  { parts }: { readonly parts: UseCaseParts },
  reference: string,
): Promise<SearchResult> => ask(() => searchTransactions(parts, MERCHANT, { reference }))
const byCode = ({ parts }: Shop, code: number): Promise<SearchResult> =>
  ask(() => searchOne(parts, MERCHANT, String(code)))

function read({ parts }: Shop, method: Method, reference: string) {
  const policy = { ...parts.requestPolicy, today: '2026-11-21' }
  const received = METHODS[method](reference)
  const request = readTransactionRequest(received, MERCHANT, policy)
  return { received, request, isRetry: false, deadline: beginDeadline() }
}

const [SQLITE] = TEST_ENGINES
const engines = TEST_ENGINES.map((engine) => [engine.name, engine] as const)

const ORDERS = [
  ['card', 'rails'],
  ['saved card', 'rails'],
  ['boleto', 'a bank'],
  ['boleto', 'rails'],
  ['pix', 'a bank'],
  ['pix', 'rails'],
  ['wallet', 'rails'],
] as const

describe.each(engines)('an order on %s', (name, engine) => {
  // The differences in SQL are the same for all methods.
  const [orders, ways] =
    name === 'sqlite'
      ? [ORDERS, ['at once', 'by code', 'later', 'dying'] as const]
      : [[ORDERS[0], ORDERS[4]], ['at once'] as const]
  it.each(orders)(
    'by %s at %s is never shown and then gone, wherever its process ends',
    async (method, at) => {
      const shop = await openShop(engine, at)
      for (const looks of ways) {
        let hasDied = true
        for (let steps = 0; hasDied; steps++) {
          const reference = `${method.slice(0, 3)}-${looks.slice(0, 2)}-${steps}`.replaceAll(
            ' ',
            '',
          )
          const { deps, hasDied: isDead } = dyingProcess(shop, steps)
          const order = read(shop, method, reference)
          const openBefore = openAtBank(shop)
          const answered = await createTransaction(deps, MERCHANT, order).catch(() => undefined)
          hasDied = isDead()
          if (!hasDied) expect(answered?.reference).toBe(reference)
          await follow(shop, { reference, method, looks, openBefore })
          shop.time.nowMs += MINUTE_MS
        }
      }
    },
  )
})

function openAtBank({ pix, boleto }: Shop): number {
  const all = [...pix.charges.values(), ...boleto.boletos]
  return all.filter(({ state }) => state === 'open').length
}

/** Pauses its process while others decide the order, and resumes it. */
describe('an order whose process stalls', () => {
  it.each(ORDERS)('by %s at %s is what a search has reported', async (method, at) => {
    const shop = await openShop(SQLITE!, at)
    for (const isWorkedOn of [false, true])
      for (let steps = 0, hasStalled = true; hasStalled; steps++) {
        const reference = `${method.slice(0, 3)}-${String(isWorkedOn)}-${steps}`
        const { deps, stalled, resume } = stallingProcess(shop, steps)
        const creating = createTransaction(deps, MERCHANT, read(shop, method, reference)).then(
          ({ status }) => status,
          () => 'refused',
        )
        hasStalled = (await Promise.race([stalled, creating])) === undefined
        const results = [await byReference(shop, reference)]
        if (isWorkedOn) {
          shop.time.nowMs += 3 * MINUTE_MS
          await work(shop.parts)
          results.push(await byReference(shop, reference))
        }
        resume()
        const answer = await creating
        results.push(await byReference(shop, reference))
        shop.time.nowMs += 3 * MINUTE_MS
        await work(shop.parts)
        results.push(await byReference(shop, reference))
        const known = new Set(results.filter((word) => word !== 'ask-again'))
        const summary = `${reference}: ${results.join(', ')}, answered ${answer}`
        // If a bank has issued a charge that no payer was shown, it is cancelled there, and so is
        // its order.
        const isCancelled = (await shop.find(reference))?.status === 'CANCELLED'
        const isPermanent = answer !== 'refused' || isCancelled
        expect([...known], summary).toEqual([isPermanent ? 'there' : 'none'])
        expect(results.at(-1), summary).not.toBe('ask-again')
      }
  })
})

interface Followed {
  readonly reference: string
  readonly method: Method
  /** `dying`: by processes that end during their decision. */
  readonly looks: 'at once' | 'by code' | 'later' | 'dying'
  /** Charges at the bank before the order. */
  readonly openBefore: number
}

/** Searches for an order while workers decide it; then repeats its request. */
async function follow(
  shop: Shop,
  { reference, method, looks, openBefore }: Followed,
): Promise<void> {
  const code = (await shop.find(reference))?.code
  const results: SearchResult[] = []
  const shown: Awaited<ReturnType<typeof shownBy>>[] = []
  const look = async (isNamed: boolean): Promise<void> => {
    if (isNamed && looks === 'by code' && code !== undefined) results.push(await byCode(shop, code))
    else if (isNamed) results.push(await byReference(shop, reference))
    shown.push(await shownBy(shop, reference))
  }
  if (looks === 'later') shown.push(await shownBy(shop, reference))
  if (looks === 'dying')
    for (let steps = 0; steps < 3; steps++) {
      const { deps, hasDied } = dyingProcess(shop, steps)
      const word = await byReference({ ...shop, parts: deps }, reference).catch(() => undefined)
      if (!hasDied() && word !== undefined) results.push(word)
      shown.push(await shownBy(shop, reference))
    }
  for (let round = 0; round < 4; round++) {
    await look(looks !== 'later' || round > 0)
    shop.time.nowMs += 3 * MINUTE_MS
    await work(shop.parts)
  }
  await look(true)
  const known = results.filter((word) => word !== 'ask-again')
  expect(new Set(known).size, `${reference}: ${results.join(', ')}`).toBe(1)
  for (const [i, one] of shown.entries())
    for (const [reader, before] of Object.entries(shown[i - 1] ?? {})) {
      const after = one[reader as keyof typeof one]
      expect(Number(after), `${reference} in ${reader}`).toBeGreaterThanOrEqual(Number(before))
    }
  const [word] = known
  const isPermanent = word === 'there'
  const readers = ['list', 'operators', 'operator', 'console', 'page'] as const
  for (const reader of readers)
    expect(shown.at(-1)?.[reader], `${reference} in ${reader}`).toBe(isPermanent)
  if (isPermanent) return
  expect(code === undefined ? [] : await notificationsOf(shop.parts.database, code)).toEqual([])
  expect(shop.vault.charged.has(String(code))).toBe(false)
  expect(openAtBank(shop)).toBe(openBefore)
  // Its reference is free.
  const again = await createTransaction(shop.parts, MERCHANT, read(shop, method, reference))
  expect(again.reference).toBe(reference)
}
