/** Bounds the walk along the causes of an error, which may name each other. */
const CAUSES_MAX = 8

/** Whether an error, or one that caused it, is such. */
export function someCause(error: unknown, isSuch: (error: Error) => boolean): boolean {
  let cause = error
  for (let i = 0; i < CAUSES_MAX && cause instanceof Error; i++) {
    if (isSuch(cause)) return true
    cause = cause.cause
  }
  return false
}
