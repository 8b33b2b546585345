// Loaded before the product (`node --import`): its acquirers approve every charge in this process,
// at once. The benchmark thus excludes the simulated acquirer and the HTTPS to it.
import { createRequire } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

// Resolves from the measured product: it may be another checkout's.
const { resolve } = createRequire(process.argv[1])
const { loadAcquirers } = await import(pathToFileURL(resolve('@cofre/providers')))

let payments = 0
const authorize = () => {
  const paymentId = `instant-${process.pid}-${++payments}`
  const payment = { paymentId, nsu: String(payments), authorizationCode: '123456' }
  return Promise.resolve({ kind: 'done', value: { outcome: 'approved', payment, surplus: [] } })
}

for (const provider of await loadAcquirers()) {
  const connect = provider.connect.bind(provider)
  provider.connect = (...args) => {
    const connection = connect(...args)
    return { ...connection, acquirer: { ...connection.acquirer, authorize } }
  }
}
