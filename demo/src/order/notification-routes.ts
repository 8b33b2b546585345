import { parseNotification } from '@cofre/merchant'
import { Hono } from 'hono'
import { followNotification } from '../payment/refresh-order.js'
import { type Shop, isServiceError } from '../payment/shop.js'

/** Receives notifications of changed transactions. After a 503, the service retries. */
export function notificationRoutes(shop: Shop): Hono {
  const app = new Hono()
  app.post('/', async (c) => {
    const notification = parseNotification(c.req.header('Content-Type') ?? '', await c.req.text())
    if (notification === undefined) return c.text('not a notification', 400)
    const { transactionCode: code } = notification
    try {
      const isKnown = await followNotification(shop, code)
      return isKnown ? c.text('ok') : c.text('no such transaction', 404)
    } catch (error) {
      if (!isServiceError(error)) throw error
      shop.log.warn({ code, reason: error.message }, 'notification not followed up')
      return c.text('ask again later', 503)
    }
  })
  return app
}
