import { SECOND_MS } from '@cofre/contracts'
import { pause } from '@cofre/jobs'
import type { GatewayDeps } from './gateway-deps.js'

/** Then the worker hears that its job is alive. */
const RUN_MS = 2 * SECOND_MS

/**
 * Brings the index of payments up to date, as far as that goes in a short run. Where it has much to
 * read, it rests after each round as long as that took: payments come first.
 */
export async function indexPayments(
  { searchIndex, clock, machineClock }: GatewayDeps,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + RUN_MS
  for (;;) {
    const startedAt = performance.now()
    const time = { nowMs: clock.now(), machineNowMs: machineClock.now() }
    const mayGoOn = await searchIndex.round(time)
    const endedAt = performance.now()
    if (!mayGoOn || signal.aborted || endedAt > endsAt) return
    await pause(endedAt - startedAt, signal)
  }
}
