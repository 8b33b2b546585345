/**
 * Time at which the response to a request is due. It decides whether new work begins; work that has
 * begun keeps its own bound.
 */
export interface Deadline {
  /** Milliseconds left; negative after the deadline. */
  leftMs(): number
  /** True if work that needs the given milliseconds may begin. */
  allows(neededMs: number): boolean
}
