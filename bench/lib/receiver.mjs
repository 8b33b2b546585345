// A shop in a process of its own that acknowledges every notification, so that none is left to be
// tried again.
import { setTimeout as pause } from 'node:timers/promises'
import { ask } from './load.mjs'
import { startPeer } from './processes.mjs'

const DEADLINE_MS = 120_000
const LOOK_MS = 20

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

/** Waits that end: a benchmark that waits for ever tells nothing. */
export async function within(deadlineMs, what, isDone) {
  const deadline = performance.now() + deadlineMs
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`no ${what} within ${deadlineMs / 1000} s`)
    await pause(LOOK_MS)
  }
}
