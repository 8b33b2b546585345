// The time that calls may take, in the hands of the server that they ask: a busy machine lets none
// of them end, and where the server keeps silent it ends them at once.
import { vi } from 'vitest'

const underWay = new Set<AbortController>()
let servers = 0

/** From here on no call ends by itself. @returns What gives the calls their time back. */
export function stopCallTime(): () => void {
  servers += 1
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const call = new AbortController()
    underWay.add(call)
    return call.signal
  })
  return () => {
    servers -= 1
    if (servers > 0) return
    underWay.clear()
    timeout.mockRestore()
  }
}

/** Ends the calls that are under way, as their time does. */
export function endCalls(): void {
  for (const call of underWay) call.abort(new DOMException('out of time', 'TimeoutError'))
  underWay.clear()
}
