import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { type Clock, type Log, SECOND_MS } from '@cofre/contracts'
import { createOutageLog } from '@cofre/work'

const CLOCK_EVERY_MS = 5 * SECOND_MS
const JUMP_MS = 2 * SECOND_MS
const DESCRIPTORS_EVERY_MS = SECOND_MS

function every(intervalMs: number, look: () => void): () => void {
  const timer = setInterval(look, intervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}

/**
 * Logs jumps of the machine's clock, by comparing it with the elapsed time. Leases, sessions and
 * signatures use that clock: after a jump back, claimed work waits for the length of the jump.
 * @returns ends the watch
 */
export function watchClock(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  jumped: () => void,
): () => void {
  let offsetMs = clock.now() - performance.now()
  return every(CLOCK_EVERY_MS, () => {
    const nowOffsetMs = clock.now() - performance.now()
    const jumpMs = Math.round(nowOffsetMs - offsetMs)
    offsetMs = nowOffsetMs
    if (Math.abs(jumpMs) < JUMP_MS) return
    jumped()
    log.warn({ jumpMs }, 'the clock of this machine was set: check its time synchronization')
  })
}

/** Limit of the process's open files and connections; undefined except on Linux. */
export function descriptorsMax(): number | undefined {
  try {
    const max = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return max === undefined ? undefined : Number(max)
  } catch {
    return undefined
  }
}

/**
 * Logs when the process has no file descriptor left. The system then ends new connections as soon
 * as they are accepted, and nothing else shows it.
 * @returns ends the watch
 */
export function watchDescriptors(
  log: Log,
  open: () => number = () => openSync(devNull, 'r'),
): () => void {
  const messages = {
    begins:
      'no file descriptor is left: new connections are ended unanswered, files cannot be opened; raise the limit (ulimit -n, LimitNOFILE)',
    goesOn: 'no file descriptor is left',
    ends: 'there are file descriptors again',
  }
  const outage = createOutageLog({}, messages, log)
  return every(DESCRIPTORS_EVERY_MS, () => {
    try {
      closeSync(open())
      outage.succeeded()
    } catch (error) {
      outage.failed(error)
    }
  })
}
