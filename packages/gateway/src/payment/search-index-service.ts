import { SECOND_MS } from '@cofre/contracts'
import { pause } from '@cofre/jobs'
import type { GatewayDeps } from './gateway-deps.js'

/** Then the worker hears that its job is alive. */
const RUN_MS = 2 * SECOND_MS
/** Payments come first: it rests so many times as long as it works. */
const RESTS = 3

/** Brings the index of payments up to date, as far as that goes in a short run. */
export async function indexPayments(
  { searchIndex, clock, machineClock }: GatewayDeps,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + RUN_MS
  let workedSince = performance.now()
  const rest = async (): Promise<void> => {
    await pause(RESTS * (performance.now() - workedSince), signal)
    workedSince = performance.now()
  }
  for (;;) {
    const time = { nowMs: clock.now(), machineNowMs: machineClock.now() }
    const mayGoOn = await searchIndex.round(time, rest)
    if (!mayGoOn || signal.aborted || performance.now() > endsAt) return
    await rest()
  }
}
