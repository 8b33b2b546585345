import type { Decline, Environment } from '@cofre/contracts'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import { keyedDigest } from '../keys/keyed-digest.js'
import { DECLINE_RETENTION_MS, countedDecline, retryRefusal } from './card-testing.js'
import {
  type DeclinesSince,
  eraseDeclines,
  findDeclines,
  insertDecline,
} from './card-testing-sql.js'

export interface TriedCard {
  readonly environment: Environment
  readonly merchantId: string
  readonly number: string
}

/** Identifies a card's declines at a store, and nothing else. It has a key of its own. */
export async function fingerprintOfCard(
  { dataKeys }: SealingDeps,
  { environment, merchantId, number }: TriedCard,
): Promise<string> {
  const key = await dataKeys.of('card-declines')
  return keyedDigest(key, ['declines', environment, merchantId, number])
}

/** The declines of a card that may forbid to try it. */
export async function countedDeclines(deps: SealingDeps, card: TriedCard): Promise<DeclinesSince> {
  const fingerprint = await fingerprintOfCard(deps, card)
  return { fingerprint, sinceMs: deps.clock.now() - DECLINE_RETENTION_MS }
}

/**
 * The decline of a card that the brand forbids to try at this store; undefined when it may be.
 * @param uncounted - Declines of this moment that are still to be counted.
 */
export async function findRetryRefusal(
  deps: SealingDeps,
  { brand, ...card }: TriedCard & { readonly brand: string },
  uncounted: readonly Decline[] = [],
): Promise<Decline | undefined> {
  const nowMs = deps.clock.now()
  const declines = await findDeclines(deps.database.reader, await countedDeclines(deps, card))
  const now = uncounted.map((decline) => countedDecline(decline, { atMs: nowMs, heardAtMs: nowMs }))
  return retryRefusal(brand, [...declines, ...now], nowMs)
}

/** A decline that counts against its card. */
export interface TriedDecline {
  readonly transactionCode: string
  readonly decline: Decline
  /** When the declined attempt began. */
  readonly atMs: number
  /** When its acquirer had answered: the brand's wait begins then. */
  readonly heardAtMs: number
}

/** A function that counts a decline of the card with this fingerprint, inside a transaction. */
export function countDecline(
  fingerprint: string,
  { transactionCode, decline, ...times }: TriedDecline,
): (trx: VaultConnection) => Promise<void> {
  const { isFinal, waitsUntilMs } = countedDecline(decline, times)
  const row = {
    fingerprint,
    declined_at_ms: times.atMs,
    transaction_code: Number(transactionCode),
    is_final: isFinal ? 1 : 0,
    waits_until_ms: waitsUntilMs ?? null,
  } as const
  return (trx) => insertDecline(trx, row)
}

/** Erases declines that no longer count. */
export async function forgetDeclines({
  database,
  clock,
}: Pick<SealingDeps, 'database' | 'clock'>): Promise<void> {
  await eraseDeclines(database, clock.now() - DECLINE_RETENTION_MS)
}
