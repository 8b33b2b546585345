import type { CardsOfPayer, Environment } from '@cofre/contracts'
import { type ExpressionBuilder, sql } from 'kysely'
import type { BrandIds } from '@cofre/provider-kit/card'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { LinkColumns } from './card-links.js'
import type { PayerDigest, SavedCard, SavedCardIdentity } from './saved-card.js'

const keyOf = ({ code, environment, merchantId }: SavedCardIdentity) => ({
  code,
  environment,
  merchant_id: merchantId,
})

export async function findSavedCard(
  db: VaultConnection,
  card: SavedCardIdentity,
): Promise<SavedCard | undefined> {
  return await db
    .selectFrom('saved_cards')
    .selectAll()
    .where((of) => of.and(keyOf(card)))
    .executeTakeFirst()
}

/** A payer's cards, the newest first. */
export async function listSavedCards(
  db: VaultConnection,
  payer: PayerDigest,
  { after, limit }: Pick<CardsOfPayer, 'after' | 'limit'>,
): Promise<readonly SavedCard[]> {
  return await db
    .selectFrom('saved_cards')
    .selectAll()
    .where('payer', '=', payer)
    .where((card) =>
      after === undefined
        ? sql.lit(true)
        : card.or([
            card('created_at_ms', '<', after.createdAtMs),
            card.and([
              card('created_at_ms', '=', after.createdAtMs),
              card('code', '>', after.code),
            ]),
          ]),
    )
    .orderBy('created_at_ms', 'desc')
    .orderBy('code')
    .limit(limit)
    .execute()
}

/** When each of the cards was last charged at an acquirer, by code. */
export async function lastUses(
  db: VaultConnection,
  environment: Environment,
  codes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('card_charges')
    .select(({ fn }) => ['charged_card_code as code', fn.max('ended_at_ms').as('at')])
    .where('charged_card_code', 'in', codes)
    .where('environment', '=', environment)
    .where('state', '=', 'approved')
    .groupBy('charged_card_code')
    .execute()
  return new Map(rows.flatMap(({ code, at }) => (code === null || at === null ? [] : [[code, at]])))
}

export async function countSavedCards(db: VaultConnection): Promise<number> {
  const { kept } = await db
    .selectFrom('saved_cards')
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow()
  return kept
}

/** Stores the card; false if one with its fingerprint is there, even when called concurrently. */
export async function insertSavedCard(db: VaultConnection, card: SavedCard): Promise<boolean> {
  const inserted = await db
    .insertInto('saved_cards')
    .values(card)
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('code')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Finds the card and locks it until the transaction ends. */
export async function lockByFingerprint(
  db: VaultConnection,
  fingerprint: string,
): Promise<SavedCard | undefined> {
  return await db
    .selectFrom('saved_cards')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .forUpdate()
    .executeTakeFirst()
}

/** Replaces the parts of the card with this code that change when it is saved again. */
export async function updateSavedCard(
  db: VaultConnection,
  { code, ...changed }: Pick<SavedCard, 'code' | 'sealed_card' | 'activated_at_ms'> & LinkColumns,
): Promise<void> {
  await db.updateTable('saved_cards').set(changed).where('code', '=', code).execute()
}

/** False if the card was active, or is gone. */
export async function activateIfWaiting(
  db: VaultConnection,
  code: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('saved_cards')
    .set({ activated_at_ms: nowMs })
    .where('code', '=', code)
    .where('activated_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** False if there is no such card. */
export async function removeSavedCard(
  db: VaultConnection,
  card: SavedCardIdentity,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_cards')
    .where((of) => of.and(keyOf(card)))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The use of a saved card by an approved charge. */
export interface SavedCardUse extends SavedCardIdentity {
  readonly ids: BrandIds
}

/**
 * Stores the brand's ids for a use: as the newest, and as the first if none is known.
 * @returns true if the card is still there
 */
export async function recordCardUse(
  trx: VaultConnection,
  { ids, ...card }: SavedCardUse,
): Promise<boolean> {
  const { networkTransactionId, transactionLinkId } = ids
  const { numUpdatedRows } = await trx
    .updateTable('saved_cards')
    .set({
      ...(networkTransactionId !== undefined && {
        network_transaction_id: orElse('network_transaction_id', networkTransactionId),
        newest_network_transaction_id: networkTransactionId,
      }),
      ...(transactionLinkId !== undefined && {
        transaction_link_id: orElse('transaction_link_id', transactionLinkId),
        newest_transaction_link_id: transactionLinkId,
      }),
    })
    .where((of) => of.and(keyOf(card)))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The column's value, or the id if it has none. */
export function orElse(column: keyof LinkColumns, id: string | null) {
  return sql<string | null>`coalesce(${sql.ref(column)}, ${id})`
}

interface FoundPayment {
  readonly key: Pick<SavedCardIdentity, 'environment'>
  readonly merchantId: string
  readonly cardCode?: string | undefined
}

interface FoundIds {
  /** Undefined if the acquirer no longer has such a payment. */
  readonly ids: BrandIds | undefined
  readonly nowMs: number
}

/** Stores the ids that a payment's acquirer returns with the saved card, if they are unknown. */
export async function recordFoundIds(
  trx: VaultConnection,
  { key: { environment }, merchantId, cardCode: code }: FoundPayment,
  { ids, nowMs }: FoundIds,
): Promise<void> {
  if (code === undefined) return
  const { networkTransactionId = null, transactionLinkId = null } = ids ?? {}
  await trx
    .updateTable('saved_cards')
    .set({
      network_transaction_id: orElse('network_transaction_id', networkTransactionId),
      newest_network_transaction_id: orElse('newest_network_transaction_id', networkTransactionId),
      transaction_link_id: orElse('transaction_link_id', transactionLinkId),
      newest_transaction_link_id: orElse('newest_transaction_link_id', transactionLinkId),
      links_asked_at_ms: nowMs,
    })
    .where((of) => of.and(keyOf({ environment, merchantId, code })))
    .execute()
}

interface ChargedOrder {
  readonly environment: Environment
  readonly transactionCode: string
}

const NO_IDS = { network_transaction_id: null, transaction_link_id: null }

/** Erases the brand's ids for the charges of some orders of an environment. */
async function eraseIds(
  trx: VaultConnection,
  environment: Environment,
  codes: readonly number[],
): Promise<void> {
  await trx
    .updateTable('card_charges')
    .set(NO_IDS)
    .where('environment', '=', environment)
    .where('transaction_code', 'in', codes)
    .execute()
}

/** Erases the brand's ids for the charge of an order. */
export async function eraseIdsOfCharge(
  trx: VaultConnection,
  { environment, transactionCode }: ChargedOrder,
): Promise<void> {
  await eraseIds(trx, environment, [Number(transactionCode)])
}

/**
 * Erases the brands' ids for the card's charges. A process that ends a charge locks its row and
 * then its card's, so this comes before the card is locked.
 */
export async function eraseIdsOfCharges(
  trx: VaultConnection,
  card: SavedCardIdentity,
): Promise<void> {
  // Two statements: with `or` PostgreSQL reads the whole table.
  for (const isOfCard of [isChargedTo(card), isSavedBy(card)])
    await trx.updateTable('card_charges').set(NO_IDS).where(hasIds).where(isOfCard).execute()
}

/** True if ids for the card's charges are left. Waits for no lock. */
export async function hasIdsOfCharges(
  trx: VaultConnection,
  card: SavedCardIdentity,
): Promise<boolean> {
  for (const isOfCard of [isChargedTo(card), isSavedBy(card)]) {
    const known = trx.selectFrom('card_charges').select('transaction_code').where(hasIds)
    if ((await known.where(isOfCard).limit(1).executeTakeFirst()) !== undefined) return true
  }
  return false
}

type Charges = ExpressionBuilder<VaultTables, 'card_charges'>

const hasIds = (row: Charges) =>
  row.or([
    row('network_transaction_id', 'is not', null),
    row('transaction_link_id', 'is not', null),
  ])

const isChargedTo =
  ({ code, environment }: SavedCardIdentity) =>
  (row: Charges) =>
    row.and({ environment, charged_card_code: code })

const isSavedBy =
  ({ code, environment }: SavedCardIdentity) =>
  (row: Charges) =>
    row.and([
      row('environment', '=', environment),
      row('transaction_code', 'in', (of) =>
        of
          .selectFrom('authorizations')
          .select('authorizations.transaction_code')
          .where('authorizations.environment', '=', environment)
          .where('authorizations.saved_card_code', '=', code),
      ),
    ])

const ERASED_AT_ONCE = 500

/** Erases the brands' ids for the charges of these orders. */
export async function eraseIdsOfOrders(
  database: VaultDatabase,
  environment: Environment,
  codes: readonly string[],
): Promise<void> {
  for (let done = 0; done < codes.length; done += ERASED_AT_ONCE) {
    const some = codes.slice(done, done + ERASED_AT_ONCE).map(Number)
    await database.transact((trx) => eraseIds(trx, environment, some))
  }
}
