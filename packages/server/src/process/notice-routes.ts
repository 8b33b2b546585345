import type { ProviderAccount } from '@cofre/accounts'
import type { BankConnection } from '@cofre/banks'
import type { Log } from '@cofre/contracts'
import type { Gateway } from '@cofre/gateway'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { refusalResponse } from '../http/serve.js'

const NOTICE_BYTES_MAX = 64 * 1024
/** Banks append `/pix` and the like. */
const ADDRESSES = ['/notices/:account/:secret', '/notices/:account/:secret/:appended{.+}'] as const

type Receiver = Pick<Gateway, 'accounts' | 'expectsNotice' | 'noticeOf'>

interface NoticeDeps {
  /** An account is in one of them. */
  readonly gateways: readonly Receiver[]
  readonly connectionOf: (account: ProviderAccount) => Promise<BankConnection>
  readonly log: Log
}

/**
 * Where banks report that something became of a charge, under a secret address for each account. A
 * report decides nothing: the charges that it names are read at the bank.
 */
export function createNoticeRoutes(deps: NoticeDeps): Hono {
  const app = new Hono({ strict: false })
  const limit = bodyLimit({
    maxSize: NOTICE_BYTES_MAX,
    onError: (c: Context) => c.text('too large', 413),
  })
  for (const address of ADDRESSES)
    app.all(address, limit, async (c) => {
      const { account: id, secret } = c.req.param()
      const gateway = await receiverOf(deps, id, secret)
      if (gateway === undefined) return c.notFound()
      switch (c.req.method) {
        // Banks and proxies look whether somebody is there.
        case 'GET':
        case 'HEAD':
          return c.text('ok')
        case 'POST':
          await take(deps, { gateway, id, body: readJson(await c.req.text()) })
          return c.text('ok')
        default:
          return c.text('', 405, { Allow: 'GET, HEAD, POST' })
      }
    })
  app.notFound((c) => c.text('not found', 404))
  app.onError((error) => {
    deps.log.error({ error }, 'a notice could not be taken')
    // Many banks send it again; the worker finds the payment without.
    return refusalResponse('service_unavailable')
  })
  return app
}

/** The gateway that has the account; undefined, too, where the address is not the account's. */
async function receiverOf(
  { gateways }: NoticeDeps,
  id: string,
  secret: string,
): Promise<Receiver | undefined> {
  for (const gateway of gateways) if (await gateway.expectsNotice(id, secret)) return gateway
  return undefined
}

interface Notice {
  readonly gateway: Receiver
  /** The account's. */
  readonly id: string
  readonly body: unknown
}

async function take(
  { connectionOf, log }: NoticeDeps,
  { gateway, id, body }: Notice,
): Promise<void> {
  const account = await gateway.accounts.find(id)
  const connection = account && (await connectionOf(account))
  const names = connection?.notices.namesIn(body)
  // Before they register an address, banks try it with bodies of their own.
  if (names === undefined)
    log.info({ account: id }, 'a bank called without a notice, as banks do to try the address')
  else await gateway.noticeOf(id, names)
}

/** Undefined for what is no JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
