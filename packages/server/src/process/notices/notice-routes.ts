import { type Log, holdsManyValues } from '@cofre/contracts'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { refusalResponse } from '../../http/serve.js'
import type { NoticeReceiver } from './notice-receivers.js'

const NOTICE_BYTES_MAX = 64 * 1024
/** A provider reports a few payments at once, of a few dozen values. */
const NOTICE_VALUES_MAX = 2000
/** Banks append `/pix` and the like. */
const ADDRESSES = ['/notices/:account/:secret', '/notices/:account/:secret/:appended{.+}'] as const

interface NoticeDeps {
  /** Each account belongs to one of them. */
  readonly receivers: readonly NoticeReceiver[]
  readonly log: Log
}

/** Receives providers' notices on charges, at a secret address for each account. */
export function createNoticeRoutes({ receivers, log }: NoticeDeps): Hono {
  const app = new Hono({ strict: false })
  const limit = bodyLimit({
    maxSize: NOTICE_BYTES_MAX,
    onError: (c: Context) => c.text('too large', 413),
  })
  for (const address of ADDRESSES)
    app.all(address, limit, async (c) => {
      const { account: id, secret } = c.req.param()
      const receiver = await receiverOf(receivers, id, secret)
      if (receiver === undefined) return c.notFound()
      switch (c.req.method) {
        // Banks and proxies test the address.
        case 'GET':
        case 'HEAD':
          return c.text('ok')
        case 'POST':
          // A refused sender repeats the notice, and shows the fault.
          return (await receiver.acceptNotice(id, readJson(await c.req.arrayBuffer()))) === 'taken'
            ? c.text('ok')
            : c.text('signature is wrong', 401)
        default:
          return c.text('', 405, { Allow: 'GET, HEAD, POST' })
      }
    })
  app.notFound((c) => c.text('not found', 404))
  app.onError((error) => {
    log.error({ error }, 'notice failed; its provider is asked to repeat it')
    // Many providers repeat the notice; a bank's worker finds the payment without it.
    return refusalResponse('service_unavailable')
  })
  return app
}

/** The receiver of the account; undefined if unknown, or if the address is not the account's. */
async function receiverOf(
  receivers: readonly NoticeReceiver[],
  id: string,
  secret: string,
): Promise<NoticeReceiver | undefined> {
  for (const receiver of receivers) if (await receiver.expectsNotice(id, secret)) return receiver
  return undefined
}

/** Undefined for invalid JSON, and for more values than a notice has, which are not parsed. */
function readJson(body: ArrayBuffer): unknown {
  const bytes = new Uint8Array(body)
  if (holdsManyValues(bytes, NOTICE_VALUES_MAX)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
