import type { Connection } from '@cofre/sql'
import { sql } from 'kysely'
import type { GatewayTables } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

/** What an account's bank has not answered yet. */
export interface PixBacklog {
  readonly merchantId: string
  readonly accountId: string
  /** Charges that somebody may still pay. */
  readonly openCharges: number
  /** Since when the bank has not answered for one of them. By the machine's clock. */
  readonly unansweredLookSinceMs: number | undefined
  /** Since when the bank has not listed the account's payments. By the machine's clock. */
  readonly unansweredSweepSinceMs: number | undefined
  /** Surpluses that are on their way back to their payers. */
  readonly surplusWaiting: number
  /** When the oldest of them was found. By the environment's clock. */
  readonly surplusSinceMs: number | undefined
  /** Surpluses that the bank does not send back: their money has stayed in the account. */
  readonly surplusRejected: number
}

/**
 * Of each account that has ever been charged. Reads what is unfinished, and what is surplus, by
 * partial indexes.
 */
export async function pixBacklog(reader: Db): Promise<readonly PixBacklog[]> {
  const accounts = await reader
    .selectFrom('pix_sweeps')
    .innerJoin('accounts', 'accounts.id', 'pix_sweeps.account_id')
    .select((of) => [
      'accounts.id',
      'accounts.merchant_id',
      of.fn.min<number | null>('pix_sweeps.unanswered_since').as('unanswered_since'),
    ])
    .groupBy(['accounts.id', 'accounts.merchant_id'])
    .orderBy('accounts.id')
    .execute()
  const charges = await reader
    .selectFrom('pix_charges')
    .select((of) => [
      'account_id',
      of.fn.countAll<number>().filterWhere('state', '=', 'live').as('open'),
      of.fn.min<number | null>('unanswered_since').as('unanswered_since'),
    ])
    .where('next_look_at', 'is not', null)
    .groupBy('account_id')
    .execute()
  const surpluses = await reader
    .selectFrom('pix_payments')
    .select((of) => [
      'account_id',
      of.fn.countAll<number>().as('waiting'),
      of.fn.min<number>('found_at').as('since'),
    ])
    .where('next_ask_at', 'is not', null)
    .groupBy('account_id')
    .execute()
  const rejected = await reader
    .selectFrom('pix_payments')
    .select((of) => ['account_id', of.fn.countAll<number>().as('rejected')])
    // Spelt out, as the partial index has it.
    .where('purpose', '<>', sql.lit('order'))
    .where('refund_status', '=', 'REJECTED')
    .groupBy('account_id')
    .execute()
  return accounts.map(({ id, merchant_id, unanswered_since }) => {
    const charged = charges.find(({ account_id }) => account_id === id)
    const surplus = surpluses.find(({ account_id }) => account_id === id)
    return {
      merchantId: merchant_id,
      accountId: id,
      openCharges: charged?.open ?? 0,
      unansweredLookSinceMs: charged?.unanswered_since ?? undefined,
      unansweredSweepSinceMs: unanswered_since ?? undefined,
      surplusWaiting: surplus?.waiting ?? 0,
      surplusSinceMs: surplus?.since,
      surplusRejected: rejected.find(({ account_id }) => account_id === id)?.rejected ?? 0,
    }
  })
}
