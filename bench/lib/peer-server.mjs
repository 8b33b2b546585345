// The bare limits: Hono doing only what a route cannot do without. Run as `peer-server.mjs <kind>
// <port> <place>`; the place is where its database lies.
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
process.once('SIGTERM', () => process.exit())
