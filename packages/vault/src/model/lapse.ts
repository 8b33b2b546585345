/**
 * Beyond which nothing can lapse that is given a lifetime now: it was made before the clock was set
 * back. How long it has lived nobody knows, so it counts as lapsed, rather than being kept until
 * the clock has caught up. Twice the lifetime, because the clocks of several machines differ.
 */
export function lapseHorizonMs(nowMs: number, lifetimeMs: number): number {
  return nowMs + 2 * lifetimeMs
}
