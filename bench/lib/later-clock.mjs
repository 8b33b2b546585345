// Sets the clock of the products and commands that this process starts years ahead, so that there
// are years to archive: codes begin in 2025. In those it is preloaded, and moves `new Date()` and
// `Date.now()`; timers and the databases keep the real time.
import process from 'node:process'

/** What time it is for them when this process begins. */
const LATER_MS = Date.UTC(2029, 11, 1)
const { COFRE_BENCH_AHEAD_MS: aheadMs, NODE_OPTIONS: options = '' } = process.env

if (aheadMs === undefined) {
  process.env.COFRE_BENCH_AHEAD_MS = String(LATER_MS - Date.now())
  process.env.NODE_OPTIONS = `${options} --import ${import.meta.url}`
} else moveDate(Number(aheadMs))

function moveDate(byMs) {
  const { now } = Date
  Date.now = () => now() + byMs
  globalThis.Date = new Proxy(Date, {
    construct: (date, given, proxy) =>
      Reflect.construct(date, given.length === 0 ? [date.now()] : given, proxy),
  })
}
