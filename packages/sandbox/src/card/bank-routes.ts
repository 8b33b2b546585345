import type { Gateway } from '@cofre/gateway'
import { Hono } from 'hono'
import { simulatedPageHeaders } from '../simulated-page/simulated-page.js'
import { bankPage } from './bank-page.js'

/** The page of a simulated bank: the holder of a test card approves, fails or leaves. */
export function createBankRoutes(gateway: Gateway): Hono {
  const app = new Hono({ strict: false })
  app.get('/a/:publicId/bank', async (context) => {
    const card = await gateway.findWaitingCard(context.req.param('publicId'))
    return context.html(bankPage(card), 200, simulatedPageHeaders("'none'"))
  })
  return app
}
