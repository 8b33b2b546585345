/**
 * A pause in milliseconds that doubles with each earlier attempt.
 * @param attempts - The number of earlier attempts; 0 gives the first pause.
 */
export function growingMs(firstMs: number, longestMs: number, attempts: number): number {
  // An unexpectedly high number of attempts still gives a number of milliseconds.
  return Math.min(firstMs * 2 ** Math.min(attempts, 30), longestMs)
}
