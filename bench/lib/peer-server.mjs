// The bare limits: Hono doing only what a route cannot do without. Run as `peer-server.mjs <kind>
// <port> [<place>]`; the place is where its database lies, for those that have one.
import process from 'node:process'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const [kind, port, place = ''] = process.argv.slice(2)

/** Each makes a route, and loads no more than the route needs. */
const KINDS = {
  payments: async () => (await import('../bare/payments.mjs')).payments(place),
  sessions: async () => (await import('../bare/cards.mjs')).sessions(place),
  deposits: async () => (await import('../bare/cards.mjs')).deposits(place),
  notifier: async () => (await import('../bare/notifier.mjs')).notifier(place),
  /** A shop that acknowledges every notification; how many is what a GET answers. */
  receiver: () => {
    let received = 0
    return async (context) => {
      if (context.req.method === 'GET') return context.json({ received })
      await context.req.arrayBuffer()
      received += 1
      return context.json({})
    }
  },
  echo: () => async (context) => context.json(JSON.parse(await context.req.text()), 201),
}

const makeRoute = KINDS[kind]
if (makeRoute === undefined) throw new Error(`unknown kind: ${kind}`)
const app = new Hono()
app.all('/*', await makeRoute())
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => {
  process.stdout.write('ready\n')
})
process.once('SIGTERM', () => process.exit())
