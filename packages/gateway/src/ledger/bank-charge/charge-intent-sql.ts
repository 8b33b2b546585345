// What the commits of an intent do to its charge at a bank: it is written with the intent, and goes
// with it.
import { DAY_MS } from '@cofre/contracts'
import { type Connection, type Statement, prepare } from '@cofre/sql'
import { type Expression, type SqlBool, expressionBuilder, sql } from 'kysely'
import { LATE_SWEEP_DAYS, type NewBankCharge } from '../../model/payment-rail/bank-charge.js'
import type { Transaction, TransactionCode } from '../../model/transaction/transaction.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { BankSweepRow } from '../database/bank-tables.js'

type Db = Connection<GatewayTables>

interface NewChargeRow {
  readonly transaction_code: number
  readonly public_id: string
  readonly account_id: string
  readonly txid: string
}

/** The transaction, if the statement before has inserted it: the code alone may be another's. */
function inserted(db: Db, { transaction_code, public_id }: NewChargeRow) {
  return db
    .selectFrom('transactions')
    .where('code', '=', transaction_code)
    .where('public_id', '=', public_id)
}

const insertCharge = prepare((db: Db, row: NewChargeRow) =>
  db
    .insertInto('pix_charges')
    .columns(['transaction_code', 'account_id', 'txid', 'state', 'looks'])
    .expression(
      inserted(db, row).select((of) => [
        of.val(row.transaction_code).as('transaction_code'),
        of.val(row.account_id).as('account_id'),
        of.val(row.txid).as('txid'),
        sql.lit('asked').as('state'),
        of.lit(0).as('looks'),
      ]),
    ),
)

const insertTxid = prepare((db: Db, row: NewChargeRow) =>
  db
    .insertInto('pix_txids')
    .columns(['txid', 'transaction_code', 'account_id'])
    .expression(
      inserted(db, row).select((of) => [
        of.val(row.txid).as('txid'),
        of.val(row.transaction_code).as('transaction_code'),
        of.val(row.account_id).as('account_id'),
      ]),
    ),
)

/** Those that are read once a day. */
const DAILY_SWEEPS = ['daily', ...Object.keys(LATE_SWEEP_DAYS)] as BankSweepRow['kind'][]

interface FirstSweeps {
  readonly account_id: string
  readonly asked_at: number
  readonly day_later: number
}

const insertSweeps = prepare((db: Db, { account_id, asked_at, day_later }: FirstSweeps) =>
  db
    .insertInto('pix_sweeps')
    .values([
      {
        account_id,
        kind: sql.lit('recent'),
        swept_until: asked_at,
        next_sweep_at: asked_at,
      },
      ...DAILY_SWEEPS.map((kind) => ({
        account_id,
        kind: sql.lit(kind),
        swept_until: asked_at,
        next_sweep_at: day_later,
      })),
    ])
    .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doNothing()),
)

/** The payments of an account are listed from the first charge on that it is asked for. */
export function sweepsFrom({ accountId, askedAtMs }: Omit<NewBankCharge, 'name'>): Statement {
  const day_later = askedAtMs + DAY_MS
  return insertSweeps({ account_id: accountId, asked_at: askedAtMs, day_later })
}

/** Statements that follow the insertion of an intent. */
export function chargeIfInserted(
  { code, publicId }: Transaction,
  charge: NewBankCharge,
): Readonly<Record<'charge' | 'txid' | 'sweeps', Statement>> {
  const row = {
    transaction_code: code,
    public_id: publicId,
    account_id: charge.accountId,
    txid: charge.name,
  }
  return { charge: insertCharge(row), txid: insertTxid(row), sweeps: sweepsFrom(charge) }
}

/** The caller has locked the transaction, and deletes it next, if it is open and PENDING. */
function isPending(code: number): Expression<SqlBool> {
  const of = expressionBuilder<GatewayTables>()
  return of.exists(
    of
      .selectFrom('transactions')
      .select('code')
      .where('code', '=', code)
      .where('open', '=', 1)
      .where('status', '=', 'PENDING'),
  )
}

interface OfTransaction {
  readonly code: number
}

const deleteTxid = prepare((db: Db, { code }: OfTransaction) =>
  db
    .deleteFrom('pix_txids')
    .where('txid', '=', (of) =>
      of.selectFrom('pix_charges').select('txid').where('transaction_code', '=', code),
    )
    .where(isPending(code)),
)

const deleteCharge = prepare((db: Db, { code }: OfTransaction) =>
  db.deleteFrom('pix_charges').where('transaction_code', '=', code).where(isPending(code)),
)

/** Statements that come before the deletion of an intent. */
export function freeChargeIfPending(
  code: TransactionCode,
): Readonly<Record<'freedTxid' | 'freedCharge', Statement>> {
  return { freedTxid: deleteTxid({ code }), freedCharge: deleteCharge({ code }) }
}
