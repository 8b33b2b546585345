// Controls the time of calls from the server's side: no call times out on a busy machine, and where
// the server stays silent, calls time out at once.
import { vi } from 'vitest'

const underWay = new Set<AbortController>()
let servers = 0

/**
 * Stops the time-outs of calls.
 * @returns the function that restores them
 */
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

/** Times out the calls in progress. */
export function endCalls(): void {
  for (const call of underWay) call.abort(new DOMException('out of time', 'TimeoutError'))
  underWay.clear()
}
