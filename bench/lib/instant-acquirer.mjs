// Loaded before the product (`node --import`): its acquirers approve every charge in this process,
// at once. What is measured is then the product, not the simulated acquirer and the HTTPS to it.
import { createRequire } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

// Of the product that is measured: it may be another checkout's.
const { resolve } = createRequire(process.argv[1])
const load = async (name) => await import(pathToFileURL(resolve(name)))
/** Undefined of a checkout from before there was one. */
const registry = await load('@cofre/providers').catch(() => undefined)
const acquirers =
  registry === undefined
    ? (await load('@cofre/acquirers')).ACQUIRER_PROVIDERS
    : await registry.loadAcquirers()
// Release 0.2 has no `done` answer: its acquirers say `approved` at once.
const isOld = registry === undefined && !('isNotDone' in (await load('@cofre/vault')))

let payments = 0
const approve = () => {
  const paymentId = `instant-${process.pid}-${++payments}`
  const payment = { paymentId, nsu: String(payments), authorizationCode: '123456' }
  const decision = { payment, surplus: [] }
  return Promise.resolve(
    isOld
      ? { kind: 'approved', ...decision }
      : { kind: 'done', value: { outcome: 'approved', ...decision } },
  )
}

for (const provider of acquirers) {
  const connect = provider.connect.bind(provider)
  provider.connect = (...args) => {
    const connection = connect(...args)
    return { ...connection, acquirer: { ...connection.acquirer, authorize: approve } }
  }
}
