export interface TestClockStore {
  /** Milliseconds by which the sandbox is ahead of the machine. */
  offsetMs(): Promise<number>
  /** Adds to the offset and returns the sum; concurrent additions all count. */
  add(durationMs: number): Promise<number>
}
