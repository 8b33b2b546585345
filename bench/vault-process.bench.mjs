// The vault in the gateway's process and in one of its own, where no card is in the gateway's
// memory: what the way between them costs, and what a second core gives. Cards are charged by an
// acquirer that answers at once, in the vault's process.
import './lib/cleanup.mjs'
import { randomBytes } from 'node:crypto'
import { freePorts, startVaultWithAcquirers } from '../e2e/cofre-process.ts'
import { compare, measureInTurn, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { INSTANT_ACQUIRER, STORE, startProduct } from './lib/processes.mjs'
import { pay } from './lib/requests.mjs'
import { PAIRS } from './lib/settings.mjs'

const CONNECTIONS = [1, 64]
const SECONDS = 1.5
const TOKENS = { 1: 1000, 64: 4000 }
const WARM_UP = 500
const UNLIMITED = { COFRE_SESSIONS_PER_MINUTE: '0', COFRE_DEPOSITS_PER_MINUTE: '0' }

const rows = []
for (const engine of ENGINES) {
  const database = await engine.start()
  const together = await startProduct(database.environ)
  const apart = await startApart(await database.another('apart'))
  for (const product of [together, apart]) await pay(product, { count: WARM_UP, connections: 64 })
  for (const connections of CONNECTIONS) {
    const load = { connections, count: TOKENS[connections], seconds: SECONDS }
    const measured = await measureInTurn(PAIRS, [() => pay(apart, load), () => pay(together, load)])
    const figure = (name) => compare(measured.map((pair) => pair.map((side) => side[name])))
    const what = `${engine.name}: vault in a process of its own, ${connections} at once`
    rows.push(row(`${what}, token payments/s`, figure('perSecond'), ''))
    rows.push(row(`${what}, median ms`, figure('p50Ms'), ''))
  }
  await apart.stop()
  await together.stop()
  await database.stop()
}
report('vault-process', rows)

/** A gateway and its vault in two processes. */
async function startApart(environ) {
  const ports = await freePorts()
  const key = { COFRE_VAULT_SERVICE_KEY: `bench:${randomBytes(32).toString('base64url')}` }
  const vault = await startVaultWithAcquirers(ports, {
    ...environ,
    ...UNLIMITED,
    ...key,
    NODE_ENV: 'production',
    NODE_OPTIONS: INSTANT_ACQUIRER.join(' '),
    COFRE_DEV_STORE_ID: STORE.id,
    COFRE_VAULT_SERVICE_PORT: String(ports.notices),
  })
  const gateway = await startProduct({
    ...environ,
    ...key,
    COFRE_VAULT_SERVICE_URL: `http://127.0.0.1:${ports.notices}`,
  })
  return {
    ...gateway,
    pids: [gateway.child.pid, vault.pid],
    ports: { ...gateway.ports, VAULT: ports.vault },
    async stop() {
      await gateway.stop()
      await vault.dispose()
    },
  }
}
