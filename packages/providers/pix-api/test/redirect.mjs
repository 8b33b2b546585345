// Loaded before Efí's SDK, whose hosts are fixed: redirects their connections to the simulator's
// port on loopback. TLS still checks the certificate against the SDK's requested name.
import { Agent } from 'node:https'
import process from 'node:process'

const { createConnection } = Agent.prototype

Agent.prototype.createConnection = function (options, done) {
  if (!options.host.endsWith('.efipay.com.br')) throw new Error(`no host of Efí: ${options.host}`)
  const port = Number(process.env.BANK_PORT)
  const redirected = { ...options, host: '127.0.0.1', port, servername: options.host }
  return createConnection.call(this, redirected, done)
}
