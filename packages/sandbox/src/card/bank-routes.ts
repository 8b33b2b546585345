import { createHash } from 'node:crypto'
import type { Gateway } from '@cofre/gateway'
import { Hono } from 'hono'
import { STYLE, bankPage } from './bank-page.js'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
    `frame-ancestors 'none'; form-action 'none'`,
}

/** The page of a bank that is not there: the holder of a test card approves, fails or leaves. */
export function createBankRoutes(gateway: Gateway): Hono {
  const app = new Hono({ strict: false })
  app.get('/a/:publicId/bank', async (context) => {
    const card = await gateway.findWaitingCard(context.req.param('publicId'))
    return context.html(bankPage(card), 200, HEADERS)
  })
  return app
}
