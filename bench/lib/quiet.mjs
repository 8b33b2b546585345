// When a product has done what its last load left it to do.
import { setTimeout as pause } from 'node:timers/promises'
import { busySeconds } from './process-tree.mjs'
import { within } from './within.mjs'

const LOOK_MS = 500
const BUSY_SHARE_MAX = 0.1
const DEADLINE_MS = 120_000

/**
 * Waits until a product's process uses less than a tenth of a core, so that what runs next has the
 * machine.
 * @param product.pids - Its processes, where they are more than one: each of them.
 */
export async function untilQuiet({ child, pids = [child.pid] }) {
  const busy = () => pids.map(busySeconds)
  await within(DEADLINE_MS, 'a product at rest', async () => {
    const before = busy()
    await pause(LOOK_MS)
    return busy().every((seconds, i) => seconds - before[i] < (BUSY_SHARE_MAX * LOOK_MS) / 1000)
  })
}
