import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** Time and chance, which a test may replace. */
export interface Machine {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Since any moment; never decreases. */
  elapsedMs(): number
  sleep(milliseconds: number): Promise<unknown>
  randomBytes(length: number): Uint8Array
}

export const MACHINE: Machine = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  sleep,
  randomBytes,
}

/** Draws a unique name. */
export function drawName(machine: Machine): string {
  return Buffer.from(machine.randomBytes(16)).toString('hex')
}

/** The reference of a creation without one: the same key gives the same reference. */
export function referenceOfKey(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32)
}
