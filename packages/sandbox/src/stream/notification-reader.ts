import { type Clock, SECOND_MS } from '@cofre/contracts'
import type { Notification } from '@cofre/gateway'
import type { NotificationPlace } from '../desk/sandbox-desk.js'

interface Clocks {
  /** The sandbox's, which notifications have their times from. */
  readonly clock: Clock
  readonly machineClock: Clock
}

/** Reads a store's notifications, each once. */
export interface NotificationReader {
  /** Where it is: a reader that begins there reads what this one has not. */
  readonly place: () => string
  /** What can be read since the last time, each with the place behind it. */
  readonly next: () => Promise<readonly PlacedNotification[]>
}

interface PlacedNotification {
  readonly notification: Notification
  readonly place: string
}

/** By the machine's time: above what a commit takes, or a process to hear that time has passed. */
const LATE_MS = 30 * SECOND_MS
const AT_ONCE = 100
const NAMED_MAX = 50
const PLACE = /^\d{1,15}(?:\.[\da-z]{1,12}-[\da-z]{1,6}){0,50}$/

/** Behind everything until then. */
export function placeAt(atMs: number): string {
  return String(atMs)
}

export function isPlace(text: string): boolean {
  return PLACE.test(text)
}

/**
 * A notification has the time at which its unit of work began, so that it may appear behind others
 * that came later. A reader reads again what is young, and leaves out what it has had. Its place
 * says both: a time before which nothing appears any more, and the last ones it has had since then.
 * Whoever goes on there misses nothing, and has some twice if there were many.
 */
export function readNotifications(
  { clock, machineClock }: Clocks,
  place: string,
  after: (cursor: NotificationPlace) => Promise<readonly Notification[]>,
): NotificationReader {
  const [since, ...names] = place.split('.')
  let sinceMs = Number(since)
  const had = new Map(names.map((name) => [name, Number.POSITIVE_INFINITY]))
  let settledMs = sinceMs
  let mark = { machineMs: machineClock.now(), atMs: clock.now() }
  const settle = (): void => {
    const machineMs = machineClock.now()
    if (machineMs < mark.machineMs + LATE_MS) return
    settledMs = mark.atMs
    mark = { machineMs, atMs: clock.now() }
  }
  const moveTo = (atMs: number): void => {
    if (atMs <= sinceMs) return
    sinceMs = atMs
    for (const [name, createdAtMs] of had) if (createdAtMs < atMs) had.delete(name)
  }
  const here = (): string => [sinceMs, ...[...had.keys()].slice(-NAMED_MAX)].join('.')
  return {
    place: here,
    async next() {
      settle()
      const found: PlacedNotification[] = []
      let cursor: NotificationPlace = { createdAtMs: sinceMs, transactionCode: 0, position: 0 }
      while (found.length < AT_ONCE) {
        const read = await after(cursor)
        for (const notification of read) {
          const { createdAtMs } = notification
          if (had.has(nameOf(notification))) continue
          had.set(nameOf(notification), createdAtMs)
          moveTo(Math.min(settledMs, createdAtMs))
          found.push({ notification, place: here() })
        }
        const last = read.at(-1)
        if (last === undefined) {
          moveTo(settledMs)
          break
        }
        cursor = last
      }
      return found
    },
  }
}

function nameOf({ transactionCode, position }: Notification): string {
  return `${transactionCode.toString(36)}-${position.toString(36)}`
}
