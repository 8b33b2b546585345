// Signed POSTs from a durable queue: each row is claimed durably before it is sent, and
// acknowledged durably after it. A POST fills the queue, and is answered once it is empty.
import { createHmac } from 'node:crypto'
import http from 'node:http'
import { openStore } from './durable-store.mjs'

const SECRET = 'a secret key for the benchmarks'
/** About as many as Cofre sends at once to a store that acknowledges them. */
const AT_ONCE = 64
const LEASE_MS = 60_000

const QUEUE = {
  name: 'queue',
  tables: `create table notifications (id bigint primary key, url text not null,
      status text not null, next_attempt_at bigint not null, lease_until bigint, done_at bigint);
    create index due_notifications on notifications (next_attempt_at) where done_at is null`,
  statements: {
    insert: `insert into notifications values (?, ?, 'COMPLETE', 0, null, null)`,
    due: `select id, url, status from notifications where done_at is null and next_attempt_at <= ?
      and id > ? order by next_attempt_at, id limit ?`,
    claim: `update notifications set lease_until = ? where id = ? and done_at is null`,
    acknowledge: `update notifications set done_at = ?, lease_until = null where id = ?`,
  },
}

/** The body of the POST is `{ url, count }`; the answer says how many milliseconds it took. */
export async function notifier(place) {
  const queue = await openStore(place, QUEUE)
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  let last = 0
  return async (context) => {
    const { url, count } = await context.req.json()
    const before = last
    await queue.commit(Array.from({ length: count }, () => ['insert', ++last, url]))
    const startedAt = performance.now()
    const due = await queue.read('due', Date.now(), before, count)
    const send = async () => {
      for (let next = due.pop(); next !== undefined; next = due.pop())
        await deliver(queue, agent, next)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, send))
    return context.json({ count, ms: performance.now() - startedAt }, 201)
  }
}

async function deliver(queue, agent, { id, url, status }) {
  await queue.commit([['claim', Date.now() + LEASE_MS, id]])
  const body = JSON.stringify({ id, status })
  const signature = createHmac('sha256', SECRET).update(`${id}.${body}`).digest('base64')
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': String(id),
    'webhook-signature': `v1,${signature}`,
  }
  await post(url, { agent, method: 'POST', headers }, body)
  await queue.commit([['acknowledge', Date.now(), id]])
}

function post(url, options, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => {
      response.resume().on('end', () => resolve())
    })
    request.once('error', reject)
    request.end(body)
  })
}
