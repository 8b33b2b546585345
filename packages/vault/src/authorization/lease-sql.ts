import { type RawBuilder, sql } from 'kysely'
import { isPast } from '@cofre/work'
import { CHARGE_LEASE_MS, LONGEST_PAUSE_MS } from './card-charge.js'

type Leased = 'card_charges' | 'card_cancels'

/** Which of what is due is listed. */
export interface DueList {
  readonly nowMs: number
  readonly limit: number
  /** Accounts whose acquirer is waited for already: none of theirs. */
  readonly busy: readonly string[]
}

/** What is to be asked for or after by now, and no process talks about. */
export function isDueAndFree(table: Leased, { nowMs, busy }: DueList): RawBuilder<boolean> {
  const isDue = isPast(`${table}.next_ask_at_ms`, nowMs, LONGEST_PAUSE_MS)
  const isFree = isPast(`${table}.lease_until_ms`, nowMs, CHARGE_LEASE_MS)
  return sql`(${isDue} and ${isFree} and ${isElsewhere(sql.ref(`${table}.account_id`), busy)})`
}

/** The lane of charges that are played: nobody is waited for. */
export const PLAYED = 'played'

/** Undefined where the charge is played. */
export interface AtAccount {
  readonly accountId: string | undefined
}

/** Tables with a row for something of a charge. */
type OfCharge = 'card_authentications' | 'card_looks' | 'card_returns'

/** The account that has charged what a row is about; null where a charge is played. */
export function accountOf(table: OfCharge): RawBuilder<string | null> {
  return sql`(select card_charges.account_id from card_charges
    where card_charges.transaction_code = ${sql.ref(`${table}.transaction_code`)}
      and card_charges.environment = ${sql.ref(`${table}.environment`)})`
}

/** Whether an account is none of the busy ones. */
export function isElsewhere(
  account: RawBuilder<unknown>,
  busy: readonly string[],
): RawBuilder<boolean> {
  if (busy.length === 0) return sql`${sql.lit(1)} = ${sql.lit(1)}`
  return sql`(${account} is null or ${account} not in (${sql.join(busy)}))`
}
