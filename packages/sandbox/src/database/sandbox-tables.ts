/** The time that the sandbox's developers have let pass: one row. */
export interface TestClockRow {
  /** Always 1. */
  id: number
  /** Milliseconds by which the sandbox is ahead of the machine. */
  offset_ms: number
}

/** What the sandbox keeps for itself, beside its gateway's database. */
export interface SandboxTables {
  test_clock: TestClockRow
}
