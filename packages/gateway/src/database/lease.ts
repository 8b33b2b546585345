import { type RawBuilder, sql } from 'kysely'

/**
 * Beyond which no lease or pause can lie that was made by today's clock: it was made before the machine's clock was set
 * back, and counts as over. Twice the longest, because the clocks of several machines differ.
 */
export function leaseHorizonMs(machineNowMs: number, longestMs: number): number {
  return machineNowMs + 2 * longestMs
}

/** Whether the time of a column, by the machine's clock, has come. @param longestMs - How far ahead it may lie. */
export function isOver(
  column: 'lease_until' | 'next_ask_at' | 'activate_at',
  machineNowMs: number,
  longestMs: number,
): RawBuilder<boolean> {
  const time = sql.ref(column)
  return sql`(${time} <= ${machineNowMs} or ${time} > ${leaseHorizonMs(machineNowMs, longestMs)})`
}
