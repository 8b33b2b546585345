import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { type Log, SECOND_MS } from '@cofre/contracts'
import { createOutageLog } from '@cofre/jobs'

const LOOK_EVERY_MS = SECOND_MS

/** How many files and connections this process may have open; undefined where the system does not say. */
export function descriptorsMax(): number | undefined {
  try {
    const max = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return max === undefined ? undefined : Number(max)
  } catch {
    // Only Linux tells.
    return undefined
  }
}

/**
 * Tells the log when the process can open nothing any more. The system then ends new connections as soon as they are accepted, and says
 * so to nobody.
 * @returns ends the watch
 */
export function watchDescriptors(
  log: Log,
  open: () => number = () => openSync(devNull, 'r'),
): () => void {
  const outage = createOutageLog(
    {},
    {
      begins:
        'no file descriptor is left: new connections are ended unanswered, files cannot be opened; raise the limit (ulimit -n, LimitNOFILE)',
      goesOn: 'no file descriptor is left',
      ends: 'there are file descriptors again',
    },
    log,
  )
  const timer = setInterval(() => {
    try {
      closeSync(open())
      outage.succeeded()
    } catch (error) {
      outage.failed(error)
    }
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}
