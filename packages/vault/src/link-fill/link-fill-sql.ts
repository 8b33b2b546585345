// Which payments of saved cards are read for the ids that their brands want.
import { type ChargeKey, FOLLOWED_FOR_MS } from '../authorization/card-charge.js'
import type { VaultConnection } from '../database/vault-database.js'
import { HEARD_STEP } from '../later-reading/reading-step.js'
import type { SavedCard } from '../saved-card/saved-card.js'

/** Saved cards in the order of their codes. */
export async function cardsAfter(
  reader: VaultConnection,
  code: string,
  limit: number,
): Promise<readonly SavedCard[]> {
  return await reader
    .selectFrom('saved_cards')
    .selectAll()
    .where('code', '>', code)
    .orderBy('code')
    .limit(limit)
    .execute()
}

/** A charge of a card, at an account that can be read. */
export interface ReadablePayment {
  readonly key: ChargeKey
  readonly accountId: string
}

/** The newest payment of a card that its acquirer can be asked for. */
export async function newestPaymentOf(
  reader: VaultConnection,
  { code, environment }: Pick<SavedCard, 'code' | 'environment'>,
  nowMs: number,
): Promise<ReadablePayment | undefined> {
  const readable = reader
    .selectFrom('card_charges')
    .select(['card_charges.transaction_code', 'account_id', 'ended_at_ms'])
    .where('card_charges.environment', '=', environment)
    .where('state', '=', 'approved')
    .where('ended_at_ms', '>=', nowMs - FOLLOWED_FOR_MS)
    .where((of) =>
      of.exists(
        of
          .selectFrom('card_readings')
          .select('card_readings.step_days')
          .whereRef('card_readings.account_id', '=', 'card_charges.account_id')
          .where('card_readings.step_days', '!=', HEARD_STEP),
      ),
    )
    .orderBy('ended_at_ms', 'desc')
    .limit(1)
  const charged = await readable.where('charged_card_code', '=', code).executeTakeFirst()
  // Of the charge that saved it, unless it was charged later.
  const row =
    charged ??
    (await readable
      .where('card_charges.transaction_code', 'in', (of) =>
        of
          .selectFrom('authorizations')
          .select('authorizations.transaction_code')
          .where('authorizations.environment', '=', environment)
          .where('saved_card_code', '=', code),
      )
      .executeTakeFirst())
  if (row === undefined) return undefined
  const { transaction_code, account_id: accountId } = row
  return { key: { environment, transactionCode: String(transaction_code) }, accountId }
}

/** How many payments wait to be read after all others, by account. */
export async function laterLooks(reader: VaultConnection): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('card_looks')
    .innerJoin('card_charges', (join) =>
      join
        .onRef('card_charges.transaction_code', '=', 'card_looks.transaction_code')
        .onRef('card_charges.environment', '=', 'card_looks.environment'),
    )
    .select(({ fn }) => ['account_id', fn.countAll<number | bigint | string>().as('count')])
    .where('is_later', '=', 1)
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, count }) => [account_id, Number(count)]))
}
