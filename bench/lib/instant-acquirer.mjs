// Loaded before the product (`node --import`): its acquirers approve every charge in this process,
// at once. The benchmark thus excludes the simulated acquirer and the HTTPS to it.
import { createRequire } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

// Resolves from the measured product: it may be another checkout's.
const { resolve } = createRequire(process.argv[1])
const load = async (name) => await import(pathToFileURL(resolve(name)))
/** Release 0.2 has no registry, and a different result. */
const registry = await load('@cofre/providers').catch(() => undefined)
const acquirers =
  (await registry?.loadAcquirers()) ?? (await load('@cofre/acquirers')).ACQUIRER_PROVIDERS

let payments = 0
const authorize = () => {
  const paymentId = `instant-${process.pid}-${++payments}`
  const payment = { paymentId, nsu: String(payments), authorizationCode: '123456' }
  const value = { outcome: 'approved', payment, surplus: [] }
  return Promise.resolve(registry ? { kind: 'done', value } : { kind: 'approved', ...value })
}

for (const provider of acquirers) {
  const connect = provider.connect.bind(provider)
  provider.connect = (...args) => {
    const connection = connect(...args)
    return { ...connection, acquirer: { ...connection.acquirer, authorize } }
  }
}
