// How long each side of payments on PostgreSQL keeps processors busy: Cofre, the database, and the
// load, which this process makes.
import process from 'node:process'
import { drive } from './load.mjs'
import { busySeconds, processTree } from './process-tree.mjs'
import { makePayments } from './requests.mjs'

/**
 * How many seconds something takes, and for how many each side's processors are busy meanwhile.
 * @param sides.products - All processes of Cofre; one at rest counts as well.
 * @param sides.database - With the process of its server as `pid`.
 */
export async function timed(sides, action) {
  const before = secondsOfEach(sides)
  const startedAt = performance.now()
  await action()
  const seconds = (performance.now() - startedAt) / 1000
  const after = secondsOfEach(sides)
  return { seconds, busy: ofEach(after, (until, who) => until - before[who]) }
}

/** The same for payments, over connections that are shared out over processes. */
export async function timedPayments(sides, { products, count, connections }) {
  // Any of them may do what the deposits have left to do.
  const pids = sides.products.map(({ child }) => child.pid)
  const requests = await makePayments({ ...products[0], pids }, count)
  const own = connections / products.length
  const pay = ({ ports }) => drive({ port: ports.API, connections: own, requests })
  return await timed(sides, () => Promise.all(products.map(pay)))
}

/** Applies a function to each side's figure. */
export function ofEach(figures, change) {
  return Object.fromEntries(
    Object.entries(figures).map(([who, figure]) => [who, change(figure, who)]),
  )
}

function secondsOfEach({ products, database }) {
  const [load] = processTree(process.pid)
  return {
    Cofre: products.reduce((sum, { child }) => sum + busySeconds(child.pid), 0),
    PostgreSQL: busySeconds(database.pid),
    'the load': load.seconds,
  }
}
