// What payers have bought, added up by day, so that a limit costs the same however many their
// purchases are.
import { DAY_MS, type TransactionStatus } from '@cofre/contracts'
import { type Connection, type Database, type Statement, namedLock, prepare } from '@cofre/sql'
import { type Expression, type SqlBool, sql } from 'kysely'
import { NO_PURCHASE, periodStartMs } from '../../model/purchase/purchase-rules.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import type { GatewayTables, PayerPurchaseRow, TransactionRow } from '../database/gateway-tables.js'
import { mayGoTo } from '../database/transition.js'

type Db = Connection<GatewayTables>

type Purchase = Pick<TransactionRow, 'payer_document' | 'amount' | 'created_at'>

/** Days since 1970, in UTC: it only has to be the same wherever a transaction is counted. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS)
}

function countOf({ payer_document, amount, created_at }: Purchase): PayerPurchaseRow {
  return { payer_document, day: dayOf(created_at), bought: amount }
}

/** Counts a transaction, if the statement before has inserted it. */
const countIfInserted = prepare(
  (db: Db, row: PayerPurchaseRow & Pick<TransactionRow, 'code' | 'public_id'>) =>
    db
      .insertInto('payer_purchases')
      .columns(['payer_document', 'day', 'bought'])
      .expression(
        db
          .selectFrom('transactions')
          .select((of) => [
            of.val(row.payer_document).as('payer_document'),
            of.val(row.day).as('day'),
            of.val(row.bought).as('bought'),
          ])
          .where('code', '=', row.code)
          // The code alone may be another's, which was drawn before.
          .where('public_id', '=', row.public_id),
      )
      .onConflict((counted) =>
        counted.columns(['payer_document', 'day']).doUpdateSet((set) => ({
          bought: set('payer_purchases.bought', '+', set.ref('excluded.bought')),
        })),
      ),
)

export function countInserted(
  row: Purchase & Pick<TransactionRow, 'code' | 'public_id'>,
): Statement {
  const { code, public_id } = row
  return countIfInserted({ ...countOf(row), code, public_id })
}

function subtracting(trx: Db, { payer_document, day, bought }: PayerPurchaseRow) {
  return trx
    .updateTable('payer_purchases')
    .set((set) => ({ bought: set('bought', '-', bought) }))
    .where('payer_document', '=', payer_document)
    .where('day', '=', day)
}

const subtract = prepare(subtracting)

type OpenPurchase = PayerPurchaseRow & Pick<TransactionRow, 'code' | 'status'>

function openPurchase(transaction: Transaction, status: TransactionStatus): OpenPurchase {
  const { code, payerDocument: payer_document, amountMinor: amount, createdAtMs } = transaction
  return { ...countOf({ payer_document, amount, created_at: createdAtMs }), code, status }
}

/** While the transaction is open, and as the condition has it. */
function subtractingOpen(trx: Db, row: OpenPurchase, condition: Expression<SqlBool>) {
  return subtracting(trx, row).where((where) =>
    where.exists(
      where
        .selectFrom('transactions')
        .select('code')
        .where('code', '=', row.code)
        .where('open', '=', 1)
        .where(condition),
    ),
  )
}

/** The caller has locked the transaction, and settles it in the next statement. */
const subtractIfMayMove = prepare((db: Db, row: OpenPurchase) =>
  subtractingOpen(db, row, mayGoTo(row.status)),
)

/** The caller has locked the transaction, and deletes it next, if it is open and PENDING. */
const subtractIfPending = prepare((db: Db, row: OpenPurchase) =>
  subtractingOpen(db, row, sql`transactions.status = ${row.status}`),
)

/** A transaction has gone to a status. */
export async function uncountMoved(trx: Db, row: Purchase, to: TransactionStatus): Promise<void> {
  if (NO_PURCHASE.includes(to)) await trx.run(subtract(countOf(row)))
}

export function uncountSettled(transaction: Transaction, to: TransactionStatus): Statement {
  return subtractIfMayMove(openPurchase(transaction, to))
}

export function uncountWithdrawn(transaction: Transaction): Statement {
  return subtractIfPending(openPurchase(transaction, 'PENDING'))
}

/**
 * The first statement of units of work that look at what a payer has bought, or change it: so two
 * purchases of one payer see each other.
 */
export function lockPayer({ payerDocument }: Transaction): Statement {
  return namedLock(`payer ${payerDocument}`)
}

const PAYERS_AT_ONCE = 500

/** Deletes what was bought on days before the period that ends at a time, of some payers. */
export async function forgetPurchases(
  database: Database<GatewayTables>,
  nowMs: number,
): Promise<void> {
  const firstDay = dayOf(periodStartMs(nowMs))
  const old = await database.reader
    .selectFrom('payer_purchases')
    .select('payer_document')
    .where('day', '<', firstDay)
    .limit(PAYERS_AT_ONCE)
    .execute()
  if (old.length === 0) return
  const payers = old.map(({ payer_document }) => payer_document)
  await database.transact((trx) =>
    trx
      .deleteFrom('payer_purchases')
      .where('payer_document', 'in', payers)
      .where('day', '<', firstDay)
      .execute(),
  )
}
