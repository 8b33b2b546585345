// A shop in a process of its own that acknowledges every notification, so that none is left to be
// tried again.
import { ask } from './load.mjs'
import { startPeer } from './processes.mjs'
import { within } from './within.mjs'

const DEADLINE_MS = 120_000

export async function startReceiver() {
  const { port, child, stop } = await startPeer('receiver')
  const url = `http://127.0.0.1:${port}`
  let expected = 0
  return {
    url: `${url}/notifications`,
    child,
    stop,
    /** Waits until so many more payments than at the last call have been notified. */
    async received(payments) {
      expected += payments
      const isDone = async () => (await ask(url)).received >= expected
      await within(DEADLINE_MS, `${expected} notifications`, isDone)
    },
  }
}
