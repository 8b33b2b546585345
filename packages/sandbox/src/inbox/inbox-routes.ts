import type { Gateway } from '@cofre/gateway'
import { type GatewayEnv, signedStore } from '@cofre/gateway/http'
import { Hono } from 'hono'
import { openInbox } from './inbox-service.js'
import type { InboxStore } from './inbox-sql.js'

interface InboxRouteDeps {
  readonly inboxes: InboxStore
  /** Origin of the panel, which serves the inboxes. */
  readonly panelUrl: string
}

/** Returns the address of the store's receiver: a working notification URL. */
export function createInboxRoutes(
  { api }: Pick<Gateway, 'api'>,
  { inboxes, panelUrl }: InboxRouteDeps,
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  app.get('/sandbox/receiver', signedStore(api, 'read'), async (context) => {
    const { path } = await openInbox({ inboxes }, context.get('merchant').id)
    return context.json({ 'notification-url': panelUrl + path })
  })
  return app
}
