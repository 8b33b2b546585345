// Changes of charges that are still to be reported to the gateway.
import { randomBytes } from 'node:crypto'
import {
  type CardChange,
  type Environment,
  HOUR_MS,
  MINUTE_MS,
  cardChangeSchema,
} from '@cofre/contracts'
import { claim, growingMs, isPast, readEach } from '@cofre/work'
import type { ExpressionBuilder } from 'kysely'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { byEnvironment } from '../model/by-environment.js'

/** A change that is to be reported to its gateway. */
export type NewChange = Omit<CardChange, 'id'> & { readonly environment: Environment }

const ID_BYTES = 16

/**
 * Adds a change for the gateway, in the unit of work that made it. The caller has locked the
 * charge, so its changes are reported in the order in which they were added.
 */
export async function announce(
  trx: VaultConnection,
  news: NewChange,
  nowMs: number,
): Promise<void> {
  const { environment, change, detail = null, atMs } = news
  const transaction_code = Number(news.transactionCode)
  const { last } = await trx
    .selectFrom('card_changes')
    .select(({ fn }) => fn.max<number | null>('created_at_ms').as('last'))
    .where((row) => row.and({ transaction_code, environment }))
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('card_changes')
    .values({
      id: randomBytes(ID_BYTES).toString('base64url'),
      environment,
      transaction_code,
      change: JSON.stringify(change),
      at_ms: atMs,
      detail,
      // The clocks of several machines differ.
      created_at_ms: Math.max(nowMs, (last ?? 0) + 1),
      lease_until_ms: 0,
      attempts: 0,
      acknowledged_at_ms: null,
    })
    .execute()
}

/** Reports the new answer to an order, in the unit of work that ends it. */
export async function announceSettled(
  trx: VaultConnection,
  { environment, transactionCode, answer }: Settled,
  { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
): Promise<void> {
  const change = { kind: 'settled', answer } as const
  // Changes that were held back may have waited for this one.
  await trx
    .updateTable('card_changes')
    .set({ lease_until_ms: 0 })
    .where('transaction_code', '=', Number(transactionCode))
    .where('environment', '=', environment)
    .where('acknowledged_at_ms', 'is', null)
    .where('attempts', '>', 1)
    .execute()
  await announce(trx, { environment, transactionCode, atMs, change }, nowMs)
}

interface Settled extends Pick<NewChange, 'environment' | 'transactionCode'> {
  readonly answer: Extract<CardChange['change'], { kind: 'settled' }>['answer']
}

const LEASE_MS = MINUTE_MS
const LONGEST_CHANGE_PAUSE_MS = HOUR_MS
/** They fit into one answer of the service port. */
const CHANGES_AT_ONCE = 50
/** After this many attempts a change is held back: its gateway cannot apply it. */
const PARKED_AFTER_ATTEMPTS = 5

/**
 * The oldest changes that are not acknowledged, each given to exactly one caller until its lease
 * ends. After that, it is given again at growing pauses. While another caller has a change of a
 * charge, or one is held back, none of that charge is given.
 */
export async function claimChanges(
  database: VaultDatabase,
  environment: Environment,
  nowMs: number,
): Promise<readonly CardChange[]> {
  const due = { longestMs: LONGEST_CHANGE_PAUSE_MS, nowMs }
  const changes = await claim(database, {
    table: 'card_changes',
    key: ['id'],
    turns: `card changes ${environment}`,
    rows: (db) =>
      unacknowledged(db, environment)
        .selectAll()
        .where((change) => change.not(change.exists(leasedSiblings(change, environment, due))))
        .orderBy('created_at_ms')
        .orderBy('id'),
    due: { ...due, at: 'lease_until_ms', limit: CHANGES_AT_ONCE },
    take: ({ attempts }) => ({
      attempts: attempts + 1,
      lease_until_ms: nowMs + pauseMs(attempts),
    }),
  })
  // An unreadable change is given to no caller, and rests like one that could not be applied. Later
  // ones of its charge rest with it, because it could undo what was given before it.
  const stopped = new Set<number>()
  return changes.flatMap((row) => {
    if (stopped.has(row.transaction_code)) return []
    return readEach([row], changeOfRow, () => stopped.add(row.transaction_code))
  })
}

/** @throws ZodError or SyntaxError if a later release has written it */
function changeOfRow({
  id,
  transaction_code,
  change,
  at_ms,
  detail,
}: VaultTables['card_changes']): CardChange {
  return cardChangeSchema.parse({
    id,
    transactionCode: String(transaction_code),
    atMs: at_ms,
    ...(detail !== null && { detail }),
    change: JSON.parse(change) as unknown,
  })
}

/** The changes of the same charge that another caller has, or that are held back. */
function leasedSiblings(
  change: ExpressionBuilder<VaultTables, 'card_changes'>,
  environment: Environment,
  { longestMs, nowMs }: { readonly longestMs: number; readonly nowMs: number },
) {
  return change
    .selectFrom('card_changes as taken')
    .select('taken.id')
    .whereRef('taken.transaction_code', '=', 'card_changes.transaction_code')
    .where('taken.environment', '=', environment)
    .where('taken.acknowledged_at_ms', 'is', null)
    .where((taken) => taken.not(isPast('taken.lease_until_ms', nowMs, longestMs)))
}

function unacknowledged(db: VaultConnection, environment: Environment) {
  return (
    db
      .selectFrom('card_changes')
      .where('card_changes.environment', '=', environment)
      // Repeats the condition of the partial indexes, so that they are used.
      .where('card_changes.acknowledged_at_ms', 'is', null)
  )
}

/** The pause before a change with this many attempts is given again. */
function pauseMs(attempts: number): number {
  return growingMs(LEASE_MS, LONGEST_CHANGE_PAUSE_MS, Math.max(0, attempts - 1))
}

/** Ends changes. Harmless when repeated, and for unknown ids. */
export async function acknowledgeChanges(
  database: VaultDatabase,
  { environment, ids }: { readonly environment: Environment; readonly ids: readonly string[] },
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return
  await database.transact((trx) =>
    trx
      .updateTable('card_changes')
      .set({ acknowledged_at_ms: nowMs })
      .where('id', 'in', ids)
      .where('environment', '=', environment)
      .where('acknowledged_at_ms', 'is', null)
      .execute(),
  )
}

/**
 * Reports the changes again that were acknowledged since then, for a gateway whose database was
 * restored from an older copy. Waiting ones are reported at once. Returns their number.
 */
export async function reannounce(
  trx: VaultConnection,
  environment: Environment,
  sinceMs: number,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('card_changes')
    .set({ acknowledged_at_ms: null, lease_until_ms: 0, attempts: 0 })
    .where('environment', '=', environment)
    .where((change) =>
      change.or([
        change('acknowledged_at_ms', '>=', sinceMs),
        change('acknowledged_at_ms', 'is', null),
      ]),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** When the oldest change was added that waits for a gateway, and not for a person. */
export async function oldestChangeAtMs(
  reader: VaultConnection,
  environment: Environment,
): Promise<number | undefined> {
  const row = await unacknowledged(reader, environment)
    .select('card_changes.created_at_ms')
    .where('card_changes.attempts', '<', PARKED_AFTER_ATTEMPTS)
    .where((change) =>
      change.not(
        change.exists(
          change
            .selectFrom('card_changes as held')
            .select('held.id')
            .whereRef('held.transaction_code', '=', 'card_changes.transaction_code')
            .where('held.environment', '=', environment)
            .where('held.acknowledged_at_ms', 'is', null)
            .where('held.attempts', '>=', PARKED_AFTER_ATTEMPTS),
        ),
      ),
    )
    .orderBy('card_changes.created_at_ms')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at_ms
}

/** A change that its gateway cannot apply. */
export interface ParkedChange {
  readonly environment: Environment
  readonly transactionCode: string
  /** The kind of the change, or `unreadable`. */
  readonly change: string
  readonly detail: string | undefined
  /** How often a caller got it. */
  readonly attempts: number
  readonly sinceMs: number
}

function kindOf(change: string): string {
  try {
    return cardChangeSchema.shape.change.parse(JSON.parse(change)).kind
  } catch {
    return 'unreadable'
  }
}

function parkedChanges(reader: VaultConnection) {
  return reader
    .selectFrom('card_changes')
    .where('acknowledged_at_ms', 'is', null)
    .where('attempts', '>=', PARKED_AFTER_ATTEMPTS)
}

/** The number of changes that gateways cannot apply, by environment. */
export async function countParkedChanges(
  reader: VaultConnection,
): Promise<Readonly<Record<Environment, number>>> {
  const rows = await parkedChanges(reader)
    .select((row) => ['environment', row.fn.countAll<number | bigint | string>().as('count')])
    .groupBy('environment')
    .execute()
  return byEnvironment(rows)
}

const LISTED_MAX = 1000

/** The changes that gateways cannot apply, oldest first. */
export async function listParkedChanges(reader: VaultConnection): Promise<readonly ParkedChange[]> {
  const rows = await parkedChanges(reader)
    .selectAll()
    .orderBy('created_at_ms')
    .limit(LISTED_MAX)
    .execute()
  return rows.map((row) => ({
    environment: row.environment,
    transactionCode: String(row.transaction_code),
    change: kindOf(row.change),
    detail: row.detail ?? undefined,
    attempts: row.attempts,
    sinceMs: row.created_at_ms,
  }))
}
