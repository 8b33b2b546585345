// When a process has done what its last load left it to do.
import { setTimeout as pause } from 'node:timers/promises'
import { busySeconds } from './process-tree.mjs'
import { within } from './within.mjs'

const LOOK_MS = 500
const BUSY_SHARE_MAX = 0.1
const DEADLINE_MS = 120_000

/** Waits until it uses less than a tenth of a core, so that what runs next has the machine. */
export async function untilQuiet({ child }) {
  await within(DEADLINE_MS, 'a product at rest', async () => {
    const before = busySeconds(child.pid)
    await pause(LOOK_MS)
    return busySeconds(child.pid) - before < (BUSY_SHARE_MAX * LOOK_MS) / 1000
  })
}
