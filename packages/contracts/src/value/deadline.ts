/**
 * When the answer to a request is due. It decides whether something new begins; what has begun
 * keeps its own bound.
 */
export interface Deadline {
  /** Milliseconds left; negative when it is past. */
  leftMs(): number
  /** Whether something that needs so many milliseconds may begin. */
  allows(neededMs: number): boolean
}
