import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  NO_PRIMARY,
  SERVER_IS_SILENT,
  SERVER_IS_STANDBY,
  isUnavailable,
} from '../errors/unavailability.js'

/** How long a server may take to report whether it takes writes. */
const PROBE_TIMEOUT_MS = 2000

export interface Probe {
  /** Why it takes no writes; undefined if it does. */
  readonly reason: unknown
  /** Grows with each promotion. */
  readonly timeline: number
}

/** Asks a server on a connection of its own whether it takes writes. Never rejects. */
export async function probe(config: pg.ClientConfig): Promise<Probe> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: PROBE_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return { reason: undefined, timeline: await refuseStandby(client) }
  } catch (reason) {
    return { reason, timeline: 0 }
  } finally {
    // Without a goodbye, which a silent server would not answer.
    client.connection.stream.destroy()
  }
}

// `default_transaction_read_only` turns this setting on, too. The name of a file of the write-ahead
// log begins with the timeline.
const QUESTION = `select current_setting('transaction_read_only') = 'on' as read_only,
  case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as file`
const TIMELINE_DIGITS = 8

/** @returns the timeline of a server that takes writes @throws if it takes none */
export async function refuseStandby(client: pg.ClientBase): Promise<number> {
  const silence = pause(PROBE_TIMEOUT_MS, undefined, { ref: false })
  const answer = client.query<{ read_only: boolean; file: string | null }>(QUESTION)
  const answered = await Promise.race([answer, silence])
  if (answered === undefined) throw new Error(SERVER_IS_SILENT)
  const [server] = answered.rows
  if (server === undefined || server.read_only || server.file === null)
    throw new Error(SERVER_IS_STANDBY)
  return Number.parseInt(server.file.slice(0, TIMELINE_DIGITS), 16)
}

/**
 * The index of the server that takes writes. Of several, the one that was promoted last: another
 * was the primary before it. -1 if there is none.
 */
export function placeOfPrimary(probes: readonly Probe[]): number {
  const writable = probes.filter(({ reason }) => reason === undefined)
  const latest = Math.max(...writable.map(({ timeline }) => timeline))
  return probes.findIndex(({ reason, timeline }) => reason === undefined && timeline === latest)
}

/** Why none of several servers takes writes, with the reason of each. */
export function noPrimary(names: readonly string[], probes: readonly Probe[]): unknown {
  const reasons = probes.map(({ reason }) => reason)
  // Permanent failures are not waited for: a wrong password, a missing database.
  if (!reasons.some(isUnavailable)) return reasons[0]
  const each = reasons.map((reason, i) => `${names[i] ?? ''}: ${messageOf(reason)}`)
  return new Error(`${NO_PRIMARY} (${each.join('; ')})`, { cause: reasons[0] })
}

/** The message of a failed connection; Node collects those of several addresses. */
export function messageOf(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(messageOf).join(', ')
  return reason instanceof Error ? reason.message : String(reason)
}
