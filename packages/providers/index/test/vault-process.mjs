// A vault in a separate process over a shared database, until it is killed. Runs the named work,
// and sends back the result.
import process from 'node:process'
import { Secret } from '@cofre/contracts'
import { createVault, openVaultDatabase, parseKeyRing } from '@cofre/vault'
import { loadAcquirers } from '../dist/index.js'

/** `simulators` by provider: the address of each, and its account's credentials. */
const { url, keys, aheadMs, simulators } = JSON.parse(process.argv[2])
const write = (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
const silent = () => undefined
const tools = { log: { info: silent, warn: silent, error: write } }

const acquirers = await loadAcquirers()
const providerOf = ({ provider }) => acquirers.find(({ name }) => name === provider)
let ahead = aheadMs
const clock = { now: () => Date.now() + ahead }
const vault = createVault({
  ...tools,
  clock,
  database: await openVaultDatabase(url),
  keys: parseKeyRing(keys),
  installation: 'cofre',
  connectionOf(account) {
    const simulator = simulators[account.provider]
    return Promise.resolve(providerOf(account).connect(account, { ...tools, clock, simulator }))
  },
  captureDaysOf: (account, brand) =>
    Promise.resolve(providerOf(account).captureDaysOf(brand, JSON.parse(account.settings))),
})

const works = {
  pay: ({ card, ...order }) =>
    vault.authorize({ ...order, source: { kind: 'raw', card: new Secret(card) } }),
  authenticate: (request) => vault.authenticate(request),
  capture: (order) => vault.capture(order),
  void: (order) => vault.voidCharge(order),
  refund: (order) => vault.refund(order),
  notice: ({ accountId, body }) => vault.acceptNotice(accountId, body),
  followUp: () => vault.followUpCharges(),
  advance: (ms) => (ahead += ms),
  async changes() {
    const changes = await vault.changes('production')
    const ids = changes.map(({ id }) => id)
    await vault.acknowledge('production', ids)
    return changes
  },
}
process.on('message', async ({ id, work, input }) => {
  try {
    process.send({ id, result: await works[work](input) })
  } catch (error) {
    process.send({ id, error: error.stack })
  }
})
process.send('ready')
