// The bare limits: Hono with only the minimal work of a route. Run as `peer-server.mjs <kind>
// <port> <place>`; the place is the path or URL of its database.
import process from 'node:process'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { deposits, sessions } from '../bare/cards.mjs'
import { payments } from '../bare/payments.mjs'

const [kind, port, place] = process.argv.slice(2)
const KINDS = { payments, deposits, sessions: () => sessions }
const app = new Hono()
app.all('/*', await KINDS[kind](place))
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => {
  process.stdout.write('ready\n')
})
