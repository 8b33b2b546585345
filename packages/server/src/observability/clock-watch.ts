import { type Clock, type Log, SECOND_MS } from '@cofre/contracts'

const LOOK_EVERY_MS = 5 * SECOND_MS
const JUMP_MS = 2 * SECOND_MS

/**
 * Tells when the machine's clock is set, by comparing it with the time that has passed. Leases, sessions and signatures go by that
 * clock: after a jump back, work that was claimed waits as long as the jump was.
 * @returns ends the watch
 */
export function watchClock(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  jumped: () => void,
): () => void {
  let offsetMs = clock.now() - performance.now()
  const timer = setInterval(() => {
    const nowOffsetMs = clock.now() - performance.now()
    const jumpMs = Math.round(nowOffsetMs - offsetMs)
    offsetMs = nowOffsetMs
    if (Math.abs(jumpMs) < JUMP_MS) return
    jumped()
    log.warn({ jumpMs }, 'the clock of this machine was set: check its time synchronization')
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}
