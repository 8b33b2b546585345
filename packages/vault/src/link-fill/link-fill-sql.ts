// Payments of saved cards, to read for the ids that their brands want.
import type { Environment } from '@cofre/contracts'
import type { ExpressionBuilder } from 'kysely'
import { type ChargeKey, FOLLOWED_FOR_MS } from '../authorization/card-charge.js'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { NOTICE_STEP } from '../later-reading/reading-step.js'
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

type PaidCard = Pick<SavedCard, 'code' | 'environment'>

/** The newest payment of a card that can be read at its acquirer. */
export async function newestPaymentOf(
  reader: VaultConnection,
  { code, environment }: PaidCard,
  nowMs: number,
): Promise<ReadablePayment | undefined> {
  const readable = paymentsSince(reader, environment, nowMs)
    .where((of) => of.exists(readingsOf(of).where('card_readings.step_days', '!=', NOTICE_STEP)))
    .orderBy('ended_at_ms', 'desc')
  const row = await ofCard(readable, { code, environment })
  if (row === undefined) return undefined
  const { transaction_code, account_id: accountId } = row
  return { key: { environment, transactionCode: String(transaction_code) }, accountId }
}

/** True if a card has a payment at an account that no vault has yet found readable or not. */
export async function isPaidTooEarly(
  reader: VaultConnection,
  { code, environment }: PaidCard,
  nowMs: number,
): Promise<boolean> {
  const unknown = paymentsSince(reader, environment, nowMs).where((of) =>
    of.not(of.exists(readingsOf(of))),
  )
  return (await ofCard(unknown, { code, environment })) !== undefined
}

function paymentsSince(reader: VaultConnection, environment: Environment, nowMs: number) {
  return reader
    .selectFrom('card_charges')
    .select(['card_charges.transaction_code', 'account_id', 'ended_at_ms'])
    .where('card_charges.environment', '=', environment)
    .where('state', '=', 'approved')
    .where('ended_at_ms', '>=', nowMs - FOLLOWED_FOR_MS)
    .limit(1)
}

function readingsOf(of: ExpressionBuilder<VaultTables, 'card_charges'>) {
  return of
    .selectFrom('card_readings')
    .select('card_readings.step_days')
    .whereRef('card_readings.account_id', '=', 'card_charges.account_id')
}

/** The first of these that charged the card; otherwise the one that saved it. */
async function ofCard(payments: ReturnType<typeof paymentsSince>, { code, environment }: PaidCard) {
  const charged = await payments.where('charged_card_code', '=', code).executeTakeFirst()
  return (
    charged ??
    (await payments
      .where('card_charges.transaction_code', 'in', (of) =>
        of
          .selectFrom('authorizations')
          .select('authorizations.transaction_code')
          .where('authorizations.environment', '=', environment)
          .where('saved_card_code', '=', code),
      )
      .executeTakeFirst())
  )
}

/** The number of payments that wait to be read after all others, by account. */
export async function laterReads(reader: VaultConnection): Promise<ReadonlyMap<string, number>> {
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
