import {
  MerchantApiError,
  MerchantConnectionError,
  parseNotification,
  type SearchElement,
} from '@cofre/merchant'
import { Hono } from 'hono'
import type { Shop } from '../shop.js'
import { recordStatus } from './order-refresh.js'

const NOT_FOUND_STATUS = 404

/**
 * Where the payment service tells that a transaction changed. What changed is asked of the service, since anyone can
 * post here; a 503 makes it tell again later.
 */
export function notificationRoutes(shop: Shop): Hono {
  const app = new Hono()
  app.post('/', async (c) => {
    const body = await c.req.text()
    const notification = parseNotification(c.req.header('Content-Type') ?? '', body)
    if (notification === undefined) return c.text('not a notification', 400)
    const { transactionCode: code } = notification
    try {
      const found = await findTransaction(shop, code)
      if (found === undefined) return c.text('no such transaction', 404)
      recordStatus(shop, found['order-id'], found)
      shop.log.info({ code, status: found.status }, 'notification received')
      return c.text('ok')
    } catch (error) {
      if (!(error instanceof MerchantApiError) && !(error instanceof MerchantConnectionError))
        throw error
      shop.log.warn({ code, reason: error.message }, 'notification not followed up')
      return c.text('ask again later', 503)
    }
  })
  return app
}

async function findTransaction(
  { merchant }: Shop,
  code: string,
): Promise<SearchElement | undefined> {
  try {
    return await merchant.findTransaction(code)
  } catch (error) {
    if (error instanceof MerchantApiError && error.status === NOT_FOUND_STATUS) return undefined
    throw error
  }
}
