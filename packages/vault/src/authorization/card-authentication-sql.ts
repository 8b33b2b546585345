import { dueFirst, isElsewhere } from '@cofre/work'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { SealedText } from '../keys/sealed-value.js'
import { AUTHENTICATION_MS, type ChargeKey } from './card-charge.js'
import { type AtAccount, type DueList, accountOf } from './account-lanes-sql.js'

type Row = VaultTables['card_authentications']

/** More than a payer who tries again needs: each result costs a call to the acquirer. */
export const RESULTS_MAX = 20

/** A charge that waits for its payer to be authenticated, or is being given up. */
export interface WaitingAuthentication {
  readonly key: ChargeKey
  /** Undefined once the charge is given up. */
  readonly sealedAction: SealedText | undefined
  /** What the payer has brought back, and its acquirer has not judged. */
  readonly sealedResult: SealedText | undefined
  /** With that result. */
  readonly firstAttemptAtMs: number | undefined
  readonly expiresAtMs: number
  /** As in a decline of its card. */
  readonly fingerprint: string | undefined
}

export type NewAuthentication = Pick<WaitingAuthentication, 'expiresAtMs' | 'fingerprint'> & {
  readonly sealedAction: SealedText
}

const keyOf = ({ environment, transactionCode }: ChargeKey) => ({
  environment,
  transaction_code: Number(transactionCode),
})

/** Of several the first one stays. */
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

/** Those of which there is something to do, the first due first. */
export async function dueAuthentications(
  db: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly (WaitingAuthentication & AtAccount)[]> {
  const account = accountOf('card_authentications')
  const waiting = db
    .selectFrom('card_authentications')
    .selectAll()
    .select(account.as('account_id'))
    // Spelt out, as the partial index has it.
    .where('next_ask_at_ms', 'is not', null)
    .where(isElsewhere(account, busy))
  const due = { at: 'next_ask_at_ms', longestMs: AUTHENTICATION_MS, nowMs, limit } as const
  const rows = await dueFirst(waiting, due).execute()
  return rows.map((row) => ({ ...waitingOf(row), accountId: row.account_id ?? undefined }))
}

/**
 * Keeps what a payer has brought back, to be judged now; the last one counts. False when nobody
 * waits for it any more, or too many have come.
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

/** Notes that its acquirer is about to be asked with its result. */
export async function noteAttempt(
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

/** Lets it wait, without its result unless that is kept. A result that came meanwhile stays. */
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

/** Erases where its payer went, and what it brought back: nobody is waited for any more. */
export async function eraseAction(trx: VaultConnection, key: ChargeKey): Promise<void> {
  await trx
    .updateTable('card_authentications')
    .set({ sealed_action: null, sealed_result: null, next_ask_at_ms: null })
    .where((of) => of.and(keyOf(key)))
    .execute()
}

/** Its charge has ended. */
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
