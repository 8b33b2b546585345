// A shop in this process that keeps its notifications waiting, so that they can be counted from one
// moment on.
import { once } from 'node:events'
import http from 'node:http'
import { drive } from './load.mjs'
import { signedGet } from './requests.mjs'
import { within } from './within.mjs'

const DEADLINE_MS = 60_000

/** A shop that answers nothing while it holds, and then everything. */
export async function startHoldingReceiver() {
  const seen = new Set()
  const held = []
  const arrivals = []
  let isOpen = false
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = ({ wasHeld }) => {
        response.end()
        const id = request.headers['webhook-id']
        if (seen.has(id)) return
        seen.add(id)
        arrivals.push({ id, at: performance.now(), wasHeld })
      }
      if (isOpen) answer({ wasHeld: false })
      else held.push(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/n`,
    hold: () => (isOpen = false),
    /** Which of so many notifications arrived when, since they were last waited for. */
    async openAndWaitFor(count) {
      isOpen = true
      for (const answer of held.splice(0)) answer({ wasHeld: true })
      await within(DEADLINE_MS, `${count} notifications`, () => arrivals.length >= count)
      return arrivals.splice(0)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** As a shop does after each notification of a payment, which is sent again until then. */
export async function searchEach({ ports }, arrivals) {
  const codes = arrivals.map(({ id }) => id.split('-')[0])
  const requests = codes.map((code) => signedGet(`/transactions/${code}`)).values()
  await drive({ port: ports.API, requests, connections: 32, expectStatus: 200 })
}
