import { onTestFinished, vi } from 'vitest'

/**
 * Stops the time of deadlines until the end of the test: only `vi.advanceTimersByTime` moves it.
 */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}
