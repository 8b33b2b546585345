/**
 * A pause in milliseconds that doubles with each attempt before it.
 * @param attempts - From 0: then it is the first pause.
 */
export function growingMs(firstMs: number, longestMs: number, attempts: number): number {
  // A number of attempts that nobody expects stays a number of milliseconds.
  return Math.min(firstMs * 2 ** Math.min(attempts, 30), longestMs)
}
