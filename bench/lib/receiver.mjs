// A shop in this process that can hold its responses to notifications, so that counting starts at
// one moment.
import http from 'node:http'
import { drive, within } from './load.mjs'
import { signedGet } from './requests.mjs'

/** A shop that responds to nothing while it holds, and then to everything. */
export async function startReceiver() {
  const seen = new Set()
  const held = []
  const arrivals = []
  let isOpen = true
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      const id = request.headers['webhook-id']
      const answer = ({ wasHeld }) => {
        response.end()
        if (!seen.has(id)) arrivals.push({ id, at: performance.now(), wasHeld })
        seen.add(id)
      }
      if (isOpen) answer({ wasHeld: false })
      else held.push(answer)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/n`,
    hold: () => (isOpen = false),
    /** Waits for the given number of notifications. Returns the arrivals since the last call. */
    async received(count) {
      isOpen = true
      for (const answer of held.splice(0)) answer({ wasHeld: true })
      await within(`${count} notifications`, () => arrivals.length >= count)
      return arrivals.splice(0)
    },
    close: () => server.close(server.closeAllConnections()),
  }
}

/** Searches each transaction as a shop does after a notification, which is repeated until then. */
export async function searchEach({ ports }, arrivals) {
  const requests = arrivals.map(({ id }) => signedGet(`/transactions/${id.split('-')[0]}`)).values()
  await drive({ port: ports.API, requests, connections: 32, expectStatus: 200 })
}
