export interface TestClockStore {
  /** Milliseconds by which the sandbox is ahead of the machine. */
  offsetMs(): Promise<number>
  /**
   * Adds to the offset and returns the sum; concurrent additions all count. Undefined, and nothing added, when the sum
   * would be more than `maxMs`.
   */
  add(durationMs: number, maxMs: number): Promise<number | undefined>
}
