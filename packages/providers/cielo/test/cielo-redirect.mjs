// Loaded before the client of Cielo, whose hosts are fixed: redirects their connections to the
// simulator's ports on loopback. TLS still checks the certificate against the requested name.
import { Agent } from 'node:https'
import process from 'node:process'

const { createConnection } = Agent.prototype
const ports = JSON.parse(process.env.CIELO_PORTS)

Agent.prototype.createConnection = function (options, done) {
  const port = ports[options.host]
  if (port === undefined) throw new Error(`no host of Cielo: ${options.host}`)
  const redirected = { ...options, host: '127.0.0.1', port, servername: options.host }
  return createConnection.call(this, redirected, done)
}
