import { pause } from '@cofre/jobs'
import type { GatewayDeps } from './gateway-deps.js'

/**
 * Brings the index of payments up to date. Where it has much to read, it rests after each round as
 * long as that took: payments come first.
 */
export async function indexPayments(
  { searchIndex, clock, machineClock }: GatewayDeps,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const startedAt = performance.now()
    const time = { nowMs: clock.now(), machineNowMs: machineClock.now() }
    const mayGoOn = await searchIndex.round(time)
    if (!mayGoOn || signal.aborted) return
    await pause(performance.now() - startedAt, signal)
  }
}
