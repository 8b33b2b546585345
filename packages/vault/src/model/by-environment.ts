import type { Environment } from '@cofre/contracts'

interface Counted {
  readonly environment: Environment
  readonly count: number | bigint | string
}

/** The count for each environment; 0 without a row. */
export function byEnvironment(rows: readonly Counted[]): Readonly<Record<Environment, number>> {
  const counts = { production: 0, sandbox: 0 }
  for (const { environment, count } of rows) counts[environment] = Number(count)
  return counts
}
