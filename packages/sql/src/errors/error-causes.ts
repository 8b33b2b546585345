/** Bounds the walk along an error's causes, which may refer to each other. */
const CAUSES_MAX = 8

/** True if `isSuch` holds for an error or one of its causes. */
export function someCause(error: unknown, isSuch: (error: Error) => boolean): boolean {
  let cause = error
  for (let i = 0; i < CAUSES_MAX && cause instanceof Error; i++) {
    if (isSuch(cause)) return true
    cause = cause.cause
  }
  return false
}
