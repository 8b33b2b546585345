import { onTestFinished, vi } from 'vitest'

/** Stops the time of deadlines, to the end of the test: only `vi.advanceTimersByTime` passes it. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}
