/** No answer in time: the outcome is unknown. */
export class NoAnswerError extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
    this.name = 'NoAnswerError'
  }
}

/**
 * Waits for an answer, but no longer than `timeoutMs`.
 * @throws NoAnswerError, and the error of `ask`
 */
export async function answeredWithin<T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new NoAnswerError(timeoutMs))
  }, timeoutMs)
  try {
    return await Promise.race([ask(), timeout])
  } finally {
    clearTimeout(timer)
  }
}
