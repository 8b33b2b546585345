import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 20

/** Waits that end: a benchmark that waits for ever tells nothing. */
export async function within(deadlineMs, what, isDone) {
  const deadline = performance.now() + deadlineMs
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`no ${what} within ${deadlineMs / 1000} s`)
    await pause(LOOK_MS)
  }
}
