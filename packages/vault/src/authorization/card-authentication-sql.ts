import { dueFirst, isElsewhere } from '@cofre/work'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { SealedText } from '../keys/sealed-value.js'
import { AUTHENTICATION_MS, type ChargeKey } from './card-charge.js'
import { type AtAccount, type DueList, accountOf } from './account-lanes-sql.js'

type Row = VaultTables['card_authentications']

/** More than a payer who tries again needs. Each result costs a call to the acquirer. */
export const RESULTS_MAX = 20

/** A charge that waits for its payer to be authenticated, or is being ended without that. */
export interface WaitingAuthentication {
  readonly key: ChargeKey
  /** Undefined once the payer is no longer waited for. */
  readonly sealedAction: SealedText | undefined
  /** The payer's result, until its acquirer has judged it. */
  readonly sealedResult: SealedText | undefined
  /** The time of the first attempt with that result. */
  readonly firstAttemptAtMs: number | undefined
  readonly expiresAtMs: number
  /** The card's fingerprint, as in its declines. */
  readonly fingerprint: string | undefined
}

export type NewAuthentication = Pick<WaitingAuthentication, 'expiresAtMs' | 'fingerprint'> & {
  readonly sealedAction: SealedText
}

const keyOf = ({ environment, transactionCode }: ChargeKey) => ({
  environment,
  transaction_code: Number(transactionCode),
})

/** Stores an authentication. If there are several, the first one stays. */
export async function insertAuthentication(
  trx: VaultConnection,
  key: ChargeKey,
  { sealedAction, expiresAtMs, fingerprint }: NewAuthentication,
): Promise<void> {
  await trx
    .insertInto('card_authentications')
    .values({
      ...keyOf(key),
      sealed_action: sealedAction,
      sealed_result: null,
      results: 0,
      first_attempt_at_ms: null,
      expires_at_ms: expiresAtMs,
      next_ask_at_ms: expiresAtMs,
      fingerprint: fingerprint ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findAuthentication(
  db: VaultConnection,
  key: ChargeKey,
): Promise<WaitingAuthentication | undefined> {
  const row = await db
    .selectFrom('card_authentications')
    .selectAll()
    .where((of) => of.and(keyOf(key)))
    .executeTakeFirst()
  return row && waitingOf(row)
}

/** Authentications that are due, the first due first. */
export async function dueAuthentications(
  db: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly (WaitingAuthentication & AtAccount)[]> {
  const account = accountOf('card_authentications')
  const waiting = db
    .selectFrom('card_authentications')
    .selectAll()
    .select(account.as('account_id'))
    // Repeats the condition of the partial index, so that it is used.
    .where('next_ask_at_ms', 'is not', null)
    .where(isElsewhere(account, busy))
  const due = { at: 'next_ask_at_ms', longestMs: AUTHENTICATION_MS, nowMs, limit } as const
  const rows = await dueFirst(waiting, due).execute()
  return rows.map((row) => ({ ...waitingOf(row), accountId: row.account_id ?? undefined }))
}

/**
 * Stores a payer's result, to be judged now; the last one counts. False if none is waited for any
 * more, or too many have come.
 */
export async function keepResult(
  trx: VaultConnection,
  key: ChargeKey,
  { sealedResult, nowMs }: { readonly sealedResult: SealedText; readonly nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('card_authentications')
    .set((set) => ({
      sealed_result: sealedResult,
      results: set('results', '+', 1),
      first_attempt_at_ms: null,
      next_ask_at_ms: nowMs,
    }))
    .where((of) => of.and(keyOf(key)))
    .where('sealed_action', 'is not', null)
    .where('expires_at_ms', '>', nowMs)
    .where('results', '<', RESULTS_MAX)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Records that its acquirer is about to be asked with its result. */
export async function recordAuthenticationAttempt(
  trx: VaultConnection,
  { key, firstAttemptAtMs }: WaitingAuthentication,
  { nowMs, nextAskAtMs }: { readonly nowMs: number; readonly nextAskAtMs: number },
): Promise<void> {
  await trx
    .updateTable('card_authentications')
    .set({ first_attempt_at_ms: firstAttemptAtMs ?? nowMs, next_ask_at_ms: nextAskAtMs })
    .where((of) => of.and(keyOf(key)))
    .execute()
}

/** Lets it wait, without its result unless `isKept`. A result that came meanwhile stays. */
export async function waitOn(
  trx: VaultConnection,
  { key, sealedResult }: Pick<WaitingAuthentication, 'key' | 'sealedResult'>,
  { isKept, nextAskAtMs }: { readonly isKept: boolean; readonly nextAskAtMs: number },
): Promise<void> {
  await trx
    .updateTable('card_authentications')
    .set({ next_ask_at_ms: nextAskAtMs, ...(!isKept && { sealed_result: null }) })
    .where((of) => of.and(keyOf(key)))
    .where('sealed_result', 'is not distinct from', sealedResult ?? null)
    .execute()
}

/** Erases the payer's next step and result: the payer is no longer waited for. */
export async function eraseAction(trx: VaultConnection, key: ChargeKey): Promise<void> {
  await trx
    .updateTable('card_authentications')
    .set({ sealed_action: null, sealed_result: null, next_ask_at_ms: null })
    .where((of) => of.and(keyOf(key)))
    .execute()
}

/** Removes the authentication of a charge that has ended. */
export async function eraseAuthentication(trx: VaultConnection, key: ChargeKey): Promise<void> {
  await trx
    .deleteFrom('card_authentications')
    .where((of) => of.and(keyOf(key)))
    .execute()
}

function waitingOf(row: Row): WaitingAuthentication {
  return {
    key: { environment: row.environment, transactionCode: String(row.transaction_code) },
    sealedAction: row.sealed_action ?? undefined,
    sealedResult: row.sealed_result ?? undefined,
    firstAttemptAtMs: row.first_attempt_at_ms ?? undefined,
    expiresAtMs: row.expires_at_ms,
    fingerprint: row.fingerprint ?? undefined,
  }
}
