import {
  BACKWARD_STEPS,
  type BackwardStep,
  TRANSACTION_STATUSES,
  type TransactionStatus,
  nextStatuses,
} from '@cofre/contracts'
import { type Expression, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { GatewayTables, TransactionRow } from './gateway-tables.js'
import { UNDECIDED_STATUSES } from '../../model/transaction/transaction.js'
import { type Connection, prepare } from '@cofre/sql'

const of = expressionBuilder<GatewayTables, 'transactions'>()

/** True if a transaction's row may go to a status: the table of transitions as an SQL condition. */
export function mayGoTo(to: TransactionStatus): Expression<SqlBool> {
  const transitions = TRANSACTION_STATUSES.map((from) => ({ from, next: nextStatuses(from) }))
  return of.or(
    transitions
      .filter(({ next }) => next.length > 0)
      .map(({ from, next }) =>
        of.and([
          of('transactions.status', '=', sql.lit(from)),
          of(
            of.val(to),
            'in',
            next.map((status) => sql.lit(status)),
          ),
        ]),
      ),
  )
}

interface Move {
  readonly code: number
  readonly status: TransactionStatus
}

/** The transaction, if it is open and may go to the status. */
export function openToGo(db: Connection<GatewayTables>, { code, status }: Move) {
  return db
    .selectFrom('transactions')
    .select('code')
    .where('code', '=', code)
    .where('open', '=', 1)
    .where(mayGoTo(status))
}

/** True if a backward step may return a transaction's row to a status. */
export function mayStepBack(to: TransactionStatus, by: BackwardStep): Expression<SqlBool> {
  const step: (typeof BACKWARD_STEPS)[BackwardStep] = BACKWARD_STEPS[by]
  const isOfStep = step.to.some((status) => status === to)
  return of.and([of('transactions.status', '=', step.from), of.lit(isOfStep)])
}

/** `isAuthorized` of the model, as an SQL condition on a transaction's row. */
export function isAuthorizedRow(): Expression<SqlBool> {
  return of.and([
    of('transactions.capture', 'is not', null),
    of(
      'transactions.status',
      'in',
      UNDECIDED_STATUSES.map((status) => sql.lit(status)),
    ),
  ])
}

/** `mayBeWithdrawn` of the model, as an SQL condition on a transaction's row. */
export function mayBeWithdrawn(): Expression<SqlBool> {
  return of.and([
    // Literal, so that PostgreSQL uses the partial index.
    of('transactions.open', '=', sql.lit(1)),
    of('transactions.status', '=', sql.lit('PENDING')),
    of('transactions.stands', 'is', null),
  ])
}

/** The opposite: only such a transaction is shown. */
export function isShown(): Expression<SqlBool> {
  return of.not(mayBeWithdrawn())
}

/**
 * Makes units of work that change a transaction, its refunds or its notifications wait for each
 * other. It must precede any change of their rows, or units of work could deadlock. Units of work
 * that share a commit lock several transactions: they give way. Returns no row if there is no such
 * transaction.
 */
export const lockTransaction = prepare(
  (db: Connection<GatewayTables>, { code }: { readonly code: number }) =>
    db.selectFrom('transactions').select('code').where('code', '=', code).forUpdate(),
)

/** A transaction's whole row, locked in the same way. */
export async function lockedRow(
  db: Connection<GatewayTables>,
  code: number,
): Promise<TransactionRow | undefined> {
  return await db
    .selectFrom('transactions')
    .selectAll()
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
}
