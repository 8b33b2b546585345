import type { Environment } from '@cofre/contracts'

interface Counted {
  readonly environment: Environment
  readonly count: number | bigint | string
}

/** How many there are in each environment; those without a row have none. */
export function byEnvironment(rows: readonly Counted[]): Readonly<Record<Environment, number>> {
  const counts = { production: 0, sandbox: 0 }
  for (const { environment, count } of rows) counts[environment] = Number(count)
  return counts
}
