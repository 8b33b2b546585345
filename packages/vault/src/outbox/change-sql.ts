// What the gateway is still to be told of charges.
import { randomBytes } from 'node:crypto'
import { type CardChange, type Environment, MINUTE_MS, cardChangeSchema } from '@cofre/contracts'
import { namedLock } from '@cofre/sql'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import { lapseHorizonMs } from '../model/lapse.js'

/** Something that its gateway has to hear. */
export type News = Omit<CardChange, 'id'> & { readonly environment: Environment }

const ID_BYTES = 16

/**
 * Adds to what the gateway is to be told, in the unit of work that made it true. The caller has
 * locked the charge: its changes are told in the order in which they were added.
 */
export async function announce(trx: VaultConnection, news: News, nowMs: number): Promise<void> {
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
      acknowledged_at_ms: null,
    })
    .execute()
}

/** Tells what an order is answered with from now on, in the unit of work that ends it. */
export async function announceSettled(
  trx: VaultConnection,
  { environment, transactionCode, answer }: Settled,
  { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
): Promise<void> {
  const change = { kind: 'settled', answer } as const
  await announce(trx, { environment, transactionCode, atMs, change }, nowMs)
}

interface Settled extends Pick<News, 'environment' | 'transactionCode'> {
  readonly answer: Extract<CardChange['change'], { kind: 'settled' }>['answer']
}

const LEASE_MS = MINUTE_MS
/** All of them fit into an answer of the service port. */
const CHANGES_AT_ONCE = 50
const CHANGES_LOOKED_AT = 4 * CHANGES_AT_ONCE

/**
 * The oldest changes that nobody has acknowledged, each given to exactly one caller until its lease
 * ends. While an older change of a charge is another caller's, none of that charge is given.
 */
export async function claimChanges(
  database: VaultDatabase,
  environment: Environment,
  nowMs: number,
): Promise<readonly CardChange[]> {
  const some = await oldestChangeAtMs(database.reader, environment)
  if (some === undefined) return []
  return await database.transact(async (trx) => {
    await trx.run(namedLock(`card changes ${environment}`))
    const open = await trx
      .selectFrom('card_changes')
      .selectAll()
      .where('environment', '=', environment)
      // Spelt out, as the partial index has it.
      .where('acknowledged_at_ms', 'is', null)
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(CHANGES_LOOKED_AT)
      .execute()
    const taken = new Set(
      open
        .filter(({ lease_until_ms: until }) => isUnder(until, nowMs))
        .map((row) => row.transaction_code),
    )
    const free = open.filter((row) => !taken.has(row.transaction_code)).slice(0, CHANGES_AT_ONCE)
    if (free.length > 0)
      await trx
        .updateTable('card_changes')
        .set({ lease_until_ms: nowMs + LEASE_MS })
        .where(
          'id',
          'in',
          free.map(({ id }) => id),
        )
        .execute()
    return free.map(({ id, transaction_code, change, at_ms, detail }) =>
      cardChangeSchema.parse({
        id,
        transactionCode: String(transaction_code),
        atMs: at_ms,
        ...(detail !== null && { detail }),
        change: JSON.parse(change) as unknown,
      }),
    )
  })
}

function isUnder(leaseUntilMs: number, nowMs: number): boolean {
  return leaseUntilMs > nowMs && leaseUntilMs <= lapseHorizonMs(nowMs, LEASE_MS)
}

/** Ends changes. Harmless when repeated, and for ids that there are not. */
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
 * Has the changes told again that were acknowledged since then: by a gateway whose database was
 * restored from an older copy. Returns how many.
 */
export async function announceAgain(
  database: VaultDatabase,
  environment: Environment,
  sinceMs: number,
): Promise<number> {
  const { numUpdatedRows } = await database.transact((trx) =>
    trx
      .updateTable('card_changes')
      .set({ acknowledged_at_ms: null, lease_until_ms: 0 })
      .where('environment', '=', environment)
      .where('acknowledged_at_ms', '>=', sinceMs)
      .executeTakeFirst(),
  )
  return Number(numUpdatedRows)
}

/** When the oldest change was added that nobody has acknowledged. */
export async function oldestChangeAtMs(
  reader: VaultConnection,
  environment: Environment,
): Promise<number | undefined> {
  const row = await reader
    .selectFrom('card_changes')
    .select('created_at_ms')
    .where('environment', '=', environment)
    // Spelt out, as the partial index has it.
    .where('acknowledged_at_ms', 'is', null)
    .orderBy('created_at_ms')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at_ms
}
