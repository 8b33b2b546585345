import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  NO_PRIMARY,
  SERVER_IS_SILENT,
  SERVER_IS_STANDBY,
  isUnavailable,
} from '../errors/unavailability.js'

/** How long a server may take to say whether it takes writes. */
const PROBE_TIMEOUT_MS = 2000

/**
 * Asks a server on a connection of its own whether it takes writes.
 * @returns the error that says why it does not; undefined when it does. Never rejects.
 */
export async function whyNoPrimary(config: pg.ClientConfig): Promise<unknown> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: PROBE_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await refuseStandby(client)
    return undefined
  } catch (error) {
    return error
  } finally {
    // Without a farewell, which a silent server would not answer.
    client.connection.stream.destroy()
  }
}

/** @throws unless the server of a connection takes writes */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const silence = pause(PROBE_TIMEOUT_MS, undefined, { ref: false })
  // It is on where `default_transaction_read_only` is, too.
  const answer = client.query<{ transaction_read_only: string }>('show transaction_read_only')
  const answered = await Promise.race([answer, silence])
  if (answered === undefined) throw new Error(SERVER_IS_SILENT)
  if (answered.rows[0]?.transaction_read_only !== 'off') throw new Error(SERVER_IS_STANDBY)
}

/** Why none of several servers takes writes, each for its own reason. */
export function noPrimary(names: readonly string[], reasons: readonly unknown[]): unknown {
  // What does not pass by itself is not waited for: a wrong password, a database that is not there.
  if (!reasons.some(isUnavailable)) return reasons[0]
  const each = reasons.map((reason, i) => `${names[i] ?? ''}: ${messageOf(reason)}`)
  return new Error(`${NO_PRIMARY} (${each.join('; ')})`, { cause: reasons[0] })
}

/** What a failed connection says of itself; Node gathers those of several addresses. */
export function messageOf(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(messageOf).join(', ')
  return reason instanceof Error ? reason.message : String(reason)
}
