import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { disturb } from '@cofre/provider-kit/simulator'
import { type Bases, renderChange, renderFoundSale, renderList, renderSale } from './answers.js'
import type { CieloAccount, Sale } from './book.js'
import { checkCard } from './checks.js'
import { CieloError } from './cielo-error.js'
import type { Cielo } from './cielo.js'
import { authorize, capture, findSale, salesOfOrder } from './sales.js'
import { voidSale } from './voids.js'

const BODY_BYTES_MAX = 256 * 1024
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface Env {
  Bindings: HttpBindings
  Variables: { account: CieloAccount }
}

interface ApiDeps {
  readonly cielo: Cielo
  /** Known once both ports are. */
  readonly bases: () => Bases
}

/** The host for writes: sales, captures, voids. */
export function createWriteRoutes({ cielo, bases }: ApiDeps): Hono<Env> {
  const { book, conditions, controls } = cielo
  const app = createHost(cielo)
  const voidAndNotify = (c: Context<Env>, sale: Sale) => {
    const answer = voidSale(cielo, sale, amountIn(c))
    if (isDone(answer)) controls.notifyStatus(sale)
    return c.json(renderChange(sale, answer, bases()))
  }
  app.post('/1/sales', async (c) => {
    const body = await readJson(c)
    const decide = () => controls.consumeDecision()
    const { links } = conditions
    const sale = authorize(book, c.var.account, { body, decide, links })
    controls.notifyStatus(sale)
    return c.json(renderSale(sale, bases()), 201)
  })
  app.post('/1/zeroauth', async (c) => {
    const body = await readJson(c)
    return c.json(checkCard(book, { body, decide: () => controls.consumeDecision() }))
  })
  app.put('/1/sales/:id/capture', (c) => {
    const sale = findSale(book, c.var.account, c.req.param('id'))
    const answer = capture(book, sale, amountIn(c))
    if (isDone(answer)) controls.notifyStatus(sale)
    return c.json(renderChange(sale, answer, bases()))
  })
  app.put('/1/sales/:id/void', (c) =>
    voidAndNotify(c, findSale(book, c.var.account, c.req.param('id'))),
  )
  app.put('/1/sales/OrderId/:order/void', (c) => {
    const [sale] = salesOfOrder(book, c.var.account, c.req.param('order'))
    if (sale === undefined) throw new CieloError(404, [307])
    return voidAndNotify(c, sale)
  })
  app.on(['GET'], '/1/*', (c) => c.body(null, 405))
  return app
}

/** The host for queries. */
export function createQueryRoutes({ cielo, bases }: ApiDeps): Hono<Env> {
  const { book, conditions } = cielo
  const app = createHost(cielo)
  const isVisible = ({ receivedMs }: Sale) => book.clock.now() >= receivedMs + conditions.queryLagMs
  app.get('/1/sales', (c) => {
    const found = salesOfOrder(book, c.var.account, c.req.query('merchantOrderId') ?? '')
    const visible = found.filter(isVisible)
    if (visible.length === 0) throw new CieloError(404, [318])
    return c.json(renderList(visible, conditions.listName))
  })
  app.get('/1/sales/:id', (c) => {
    const sale = findSale(book, c.var.account, c.req.param('id'))
    if (!isVisible(sale)) throw new CieloError(404, [307])
    return c.json(renderFoundSale(sale, bases()))
  })
  app.on(['POST', 'PUT'], '/1/*', (c) => c.body(null, 405))
  return app
}

function createHost(cielo: Cielo): Hono<Env> {
  // Some clients write `/1/sales/`, which Cielo accepts.
  const app = new Hono<Env>({ strict: false })
  app.use(disturb(cielo))
  app.use(bodyLimit({ maxSize: BODY_BYTES_MAX }))
  app.use(signIn(cielo.book.accounts))
  app.notFound((c) => c.body(null, 404))
  app.onError((error, c) => {
    if (error instanceof CieloError) return c.json(error.body, error.status)
    return c.json({ Message: 'An error has occurred.' }, 500)
  })
  return app
}

/** Finds the account of the id and key. */
function signIn(accounts: readonly CieloAccount[]): MiddlewareHandler<Env> {
  return async (c, next) => {
    const merchantId = c.req.header('MerchantId') ?? ''
    if (!GUID.test(merchantId)) throw new CieloError(400, [114])
    const account = accounts.find((other) => other.merchantId === merchantId.toLowerCase())
    if (account === undefined) throw new CieloError(401, [115])
    const key = c.req.header('MerchantKey') ?? ''
    if (key === '') throw new CieloError(401, [131])
    if (!timingSafeEqual(digestOf(key), digestOf(account.merchantKey.reveal())))
      throw new CieloError(401, [132])
    c.set('account', account)
    const requestId = c.req.header('RequestId')
    if (requestId !== undefined && requestId !== '') c.header('RequestId', requestId)
    await next()
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The query's amount; undefined without one. */
function amountIn(c: Context): number | undefined {
  const text = c.req.query('amount')
  if (text === undefined || text === '') return undefined
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CieloError(400, [108])
  return Number(text)
}

function isDone({ returnCode }: { readonly returnCode: string }): boolean {
  return ['0', '6', '9'].includes(returnCode)
}

async function readJson(c: Context<Env>): Promise<unknown> {
  try {
    return await c.req.json()
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new CieloError(400, [184])
  }
}
