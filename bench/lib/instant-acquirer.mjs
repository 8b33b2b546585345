// Loaded before the product (`node --import`): its acquirers approve every charge in this process,
// at once. What is measured is then the product, not the simulated acquirer and the HTTPS to it.
import { createRequire } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

// Of the product that is measured: it may be another checkout's.
const acquirers = createRequire(process.argv[1]).resolve('@cofre/acquirers')
const { ACQUIRER_PROVIDERS } = await import(pathToFileURL(acquirers))

let payments = 0
const approve = () => {
  const paymentId = `instant-${process.pid}-${++payments}`
  const payment = { paymentId, nsu: String(payments), authorizationCode: '123456' }
  return Promise.resolve({ kind: 'approved', payment, surplus: [] })
}

for (const provider of ACQUIRER_PROVIDERS) {
  const connect = provider.connect.bind(provider)
  provider.connect = (...args) => {
    const connection = connect(...args)
    return { ...connection, acquirer: { ...connection.acquirer, authorize: approve } }
  }
}
