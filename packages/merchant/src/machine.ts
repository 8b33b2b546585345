import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** Time and chance, which a test may replace. */
export interface Machine {
  now(): Date
  /** Since any moment; never set back. */
  elapsedMs(): number
  sleep(milliseconds: number): Promise<unknown>
  randomBytes(length: number): Uint8Array
}

export const MACHINE: Machine = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep,
  randomBytes,
}

/** A name that nothing else has. */
export function drawName(machine: Machine): string {
  return Buffer.from(machine.randomBytes(16)).toString('hex')
}
