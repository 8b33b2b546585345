/** Waits for a time, or until the signal. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, durationMs)
    signal.addEventListener('abort', finish)
    // A signal that was aborted before fires no event.
    if (signal.aborted) finish()
  })
}
