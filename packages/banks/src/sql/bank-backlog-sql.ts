import type { Connection } from '@cofre/sql'
import { sql } from 'kysely'
import type { GatewayTables } from '@cofre/gateway/method'

type Db = Connection<GatewayTables>

/** The requests that an account's bank has not answered yet. */
export interface BankBacklog {
  readonly merchantId: string
  readonly accountId: string
  /** Charges that can still be paid. */
  readonly openPix: number
  readonly openBoletos: number
  /** Since when the bank has not answered for one of these charges. By the machine's clock. */
  readonly unansweredReadSinceMs: number | undefined
  /** Since when the bank has not listed the account's payments. By the machine's clock. */
  readonly unansweredSweepSinceMs: number | undefined
  /** Surpluses on their way back to their payers. */
  readonly surplusWaiting: number
  /** When the oldest of these surpluses was found. By the environment's clock. */
  readonly surplusSinceMs: number | undefined
  /** Surpluses that the bank refused to send back: their money stays in the account. */
  readonly surplusRejected: number
  /**
   * When the oldest refund was requested that the bank has neither made nor refused. By the
   * environment's clock.
   */
  readonly refundSinceMs: number | undefined
  /** Since when a charge that no payer has seen waits for its removal. By the machine's clock. */
  readonly removalSinceMs: number | undefined
}

/**
 * The backlog of each account that ever had a charge. Reads unfinished work and surpluses by
 * partial indexes.
 */
export async function bankBacklog(reader: Db): Promise<readonly BankBacklog[]> {
  const accounts = await reader
    .selectFrom('bank_sweeps')
    .innerJoin('accounts', 'accounts.id', 'bank_sweeps.account_id')
    .select((of) => [
      'accounts.id',
      'accounts.merchant_id',
      of.fn.min<number | null>('bank_sweeps.unanswered_since').as('unanswered_since'),
    ])
    .groupBy(['accounts.id', 'accounts.merchant_id'])
    .orderBy('accounts.id')
    .execute()
  const looks = await readsByAccount(reader)
  const removals = await removalsByAccount(reader)
  const waiting = await surplusesByAccount(reader)
  const rejected = await rejectedByAccount(reader)
  const refunds = await refundsByAccount(reader)
  return accounts.map(({ id, merchant_id, unanswered_since }) => {
    const read = ofAccount(looks, id)
    const surplus = ofAccount(waiting, id)
    return {
      merchantId: merchant_id,
      accountId: id,
      openPix: read?.pix ?? 0,
      openBoletos: read?.boletos ?? 0,
      unansweredReadSinceMs: read?.unanswered_since ?? undefined,
      unansweredSweepSinceMs: unanswered_since ?? undefined,
      surplusWaiting: surplus?.waiting ?? 0,
      surplusSinceMs: surplus?.since,
      surplusRejected: ofAccount(rejected, id)?.rejected ?? 0,
      refundSinceMs: ofAccount(refunds, id)?.since,
      removalSinceMs: ofAccount(removals, id)?.since ?? undefined,
    }
  })
}

function ofAccount<T extends { readonly account_id: string | null }>(
  rows: readonly T[],
  id: string,
): T | undefined {
  return rows.find(({ account_id }) => account_id === id)
}

function readsByAccount(reader: Db) {
  const live = { state: 'live' } as const
  return reader
    .selectFrom('bank_charges')
    .select((of) => [
      'account_id',
      of.fn
        .countAll<number>()
        .filterWhere(of.and({ ...live, method: 'pix' }))
        .as('pix'),
      of.fn
        .countAll<number>()
        .filterWhere(of.and({ ...live, method: 'boleto' }))
        .as('boletos'),
      of.fn.min<number | null>('unanswered_since').as('unanswered_since'),
    ])
    .where('next_look_at', 'is not', null)
    .groupBy('account_id')
    .execute()
}

function removalsByAccount(reader: Db) {
  return (
    reader
      .selectFrom('bank_charges')
      .select((of) => ['account_id', of.fn.min<number | null>('removing_since').as('since')])
      // Literal, so that PostgreSQL uses the partial index.
      .where('state', '=', sql.lit('removing'))
      .groupBy('account_id')
      .execute()
  )
}

function surplusesByAccount(reader: Db) {
  return reader
    .selectFrom('bank_payments')
    .select((of) => [
      'account_id',
      of.fn.countAll<number>().as('waiting'),
      of.fn.min<number>('found_at').as('since'),
    ])
    .where('next_ask_at', 'is not', null)
    .groupBy('account_id')
    .execute()
}

function rejectedByAccount(reader: Db) {
  return (
    reader
      .selectFrom('bank_payments')
      .select((of) => ['account_id', of.fn.countAll<number>().as('rejected')])
      // Literal, so that PostgreSQL uses the partial index.
      .where('purpose', '<>', sql.lit('order'))
      .where('refund_status', '=', 'REJECTED')
      .groupBy('account_id')
      .execute()
  )
}

function refundsByAccount(reader: Db) {
  return reader
    .selectFrom((from) =>
      from
        .selectFrom('refunds')
        .select((of) => [
          'requested_at',
          // Not a join, which may read all charges.
          of
            .selectFrom('bank_charges')
            .select('account_id')
            .whereRef('bank_charges.transaction_code', '=', 'refunds.transaction_code')
            .as('account_id'),
        ])
        // Literal, so that PostgreSQL uses the partial index.
        .where('status', '=', sql.lit('PROCESSING'))
        .as('in_process'),
    )
    .select((of) => ['account_id', of.fn.min<number>('requested_at').as('since')])
    .groupBy('account_id')
    .execute()
}
