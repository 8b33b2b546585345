import { type Expression, type SqlBool, expressionBuilder } from 'kysely'
import type { VaultTables } from '../database/vault-tables.js'
import { lapseHorizonMs } from '../model/lapse.js'
import { CHARGE_LEASE_MS } from './card-charge.js'

type Leased = 'card_charges' | 'card_cancels'

const of = expressionBuilder<VaultTables, Leased>()

/** What is to be asked for or after by now, and no process talks about. */
export function isDueAndFree(table: Leased, nowMs: number): Expression<SqlBool> {
  const leaseUntil = `${table}.lease_until_ms` as const
  return of.and([
    of(`${table}.next_ask_at_ms`, '<=', nowMs),
    of.or([
      of(leaseUntil, '<=', nowMs),
      of(leaseUntil, '>', lapseHorizonMs(nowMs, CHARGE_LEASE_MS)),
    ]),
  ])
}
