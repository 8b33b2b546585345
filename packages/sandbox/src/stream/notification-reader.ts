import { type Clock, SECOND_MS } from '@cofre/contracts'
import type { Notification } from '@cofre/gateway/room'

interface Clocks {
  /** The sandbox's clock, which dates notifications. */
  readonly clock: Clock
  readonly machineClock: Clock
}

/** A position behind the notification with these values. */
export interface StreamPosition extends Pick<Notification, 'createdAtMs' | 'position'> {
  /** 0 for the position before all notifications of the moment. */
  readonly transactionCode: number
}

/** Reads a store's notifications, each once. */
export interface NotificationReader {
  /** Its position: a reader that starts there reads exactly what this one has not. */
  readonly place: () => string
  /** The new notifications since the last call, each with the position behind it. */
  readonly next: () => Promise<readonly PositionedNotification[]>
}

interface PositionedNotification {
  readonly notification: Notification
  readonly place: string
}

/**
 * By the machine's time: longer than a commit, or than a process needs to learn that time was
 * skipped.
 */
const LATE_MS = 30 * SECOND_MS
const AT_ONCE = 100
const NAMED_MAX = 50
const POSITION = /^\d{1,15}(?:\.[\da-z]{1,12}-[\da-z]{1,6}){0,50}$/

/** The position behind everything until then. */
export function positionAt(atMs: number): string {
  return String(atMs)
}

export function isStreamPosition(text: string): boolean {
  return POSITION.test(text)
}

/**
 * A notification has the time at which its unit of work began, so it may appear behind later ones.
 * A reader therefore reads recent notifications again, and skips those it has had. Its position
 * contains a time before which no notification can still appear, and the latest ones it has had
 * since. A reader that continues there misses nothing, and repeats some if there were many.
 */
export function readNotifications(
  { clock, machineClock }: Clocks,
  place: string,
  after: (cursor: StreamPosition) => Promise<readonly Notification[]>,
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
      const found: PositionedNotification[] = []
      let cursor: StreamPosition = { createdAtMs: sinceMs, transactionCode: 0, position: 0 }
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
