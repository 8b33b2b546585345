import { SECOND_MS } from '@cofre/contracts'
import type { Notification } from '@cofre/gateway/room'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type StreamPosition,
  isStreamPosition,
  positionAt,
  readNotifications,
} from './notification-reader.js'

const NOW_MS = Date.UTC(2026, 10, 21, 12)

describe('a reader of notifications', () => {
  let kept: Notification[]
  let machineMs: number
  let aheadMs: number
  const clocks = {
    machineClock: { now: () => machineMs },
    clock: { now: () => machineMs + aheadMs },
  }
  beforeEach(() => {
    kept = []
    machineMs = NOW_MS
    aheadMs = 0
  })

  const keep = (code: number, createdAtMs: number) =>
    kept.push({ transactionCode: code, position: 1, createdAtMs } as Notification)
  const order = (one: StreamPosition, other: StreamPosition): number =>
    one.createdAtMs - other.createdAtMs || one.transactionCode - other.transactionCode
  const after = (cursor: StreamPosition) => {
    const behind = kept.toSorted(order).filter((one) => order(one, cursor) > 0)
    return Promise.resolve(behind.slice(0, 100))
  }
  const read = async (reader: ReturnType<typeof readNotifications>): Promise<number[]> =>
    (await reader.next()).map(({ notification }) => notification.transactionCode)

  it('reads everything once, however much there is, and continues from any position', async () => {
    const codes = Array.from({ length: 250 }, (_, index) => index + 1)
    for (const code of codes) keep(code, NOW_MS + Math.floor(code / 120))
    const reader = readNotifications(clocks, positionAt(NOW_MS), after)
    const found: number[] = []
    while (found.length < 250) found.push(...(await read(reader)))
    expect(found).toEqual(codes)
    expect(await read(reader)).toEqual([])
    const again = readNotifications(clocks, positionAt(NOW_MS), after)
    const places = (await again.next()).map(({ place }) => place)
    expect(places.every(isStreamPosition)).toBe(true)
    expect((await read(readNotifications(clocks, places[9] ?? '', after)))[0]).toBe(11)
  })

  it('finds late notifications, even after the clock was moved far ahead', async () => {
    const reader = readNotifications(clocks, positionAt(NOW_MS), after)
    aheadMs = 365 * 86_400_000
    keep(2, NOW_MS + aheadMs)
    expect(await read(reader)).toEqual([2])
    keep(1, NOW_MS)
    const elsewhere = readNotifications(clocks, reader.place(), after)
    expect(await read(elsewhere)).toEqual([1])
    expect(await read(reader)).toEqual([1])
  })

  it('forgets what it has had once nothing older can appear', async () => {
    const reader = readNotifications(clocks, positionAt(NOW_MS), after)
    keep(1, NOW_MS)
    expect(await read(reader)).toEqual([1])
    expect(reader.place()).toBe(`${NOW_MS}.1-1`)
    for (let i = 0; i < 2; i++) {
      machineMs += 30 * SECOND_MS
      expect(await read(reader)).toEqual([])
    }
    expect(reader.place()).toBe(String(NOW_MS + 30 * SECOND_MS))
  })
})
