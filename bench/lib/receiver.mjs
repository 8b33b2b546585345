// A shop in this process that can hold its responses to notifications, so that counting starts at
// one moment.
import http from 'node:http'
import { within } from './load.mjs'

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
