// The charge's part of an intent's commits: it is written and deleted with the intent.
import { DAY_MS } from '@cofre/contracts'
import { type Connection, type Statement, prepare } from '@cofre/sql'
import { type Expression, type RawBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import {
  type BankSweepRow,
  type ChargeMethod,
  type GatewayTables,
  type IntentPart,
  type IntentRemoval,
  type SweepKind,
  type Transaction,
  isUndecidedRow,
} from '@cofre/gateway/method'
import { type NewBankCharge, LATE_SWEEP_DAYS, NOTICES_PAUSE_MS } from '../model/bank-charge.js'
import { chargeMethodOf } from '../model/charge-kind.js'

type Db = Connection<GatewayTables>

interface NewChargeRow {
  readonly transaction_code: number
  readonly public_id: string
  readonly account_id: string
  readonly method: ChargeMethod
  readonly txid: string
  readonly due_date: string | null
  readonly asked_at: number
}

/** The transaction, if the previous statement inserted it: the code alone may be another's. */
function inserted(db: Db, { transaction_code, public_id }: NewChargeRow) {
  return db
    .selectFrom('transactions')
    .where('code', '=', transaction_code)
    .where('public_id', '=', public_id)
}

const insertCharge = prepare((db: Db, row: NewChargeRow) =>
  db
    .insertInto('bank_charges')
    .columns([
      ...(['transaction_code', 'account_id', 'method', 'txid', 'due_date', 'asked_at'] as const),
      ...(['state', 'looks'] as const),
    ])
    .expression(
      inserted(db, row).select((of) => [
        of.val(row.transaction_code).as('transaction_code'),
        of.val(row.account_id).as('account_id'),
        of.val(row.method).as('method'),
        of.val(row.txid).as('txid'),
        of.val(row.due_date).as('due_date'),
        of.val(row.asked_at).as('asked_at'),
        sql.lit('asked').as('state'),
        of.lit(0).as('looks'),
      ]),
    ),
)

const insertTxid = prepare((db: Db, row: NewChargeRow) =>
  db
    .insertInto('charge_names')
    .columns(['txid', 'transaction_code', 'account_id'])
    .expression(
      inserted(db, row).select((of) => [
        of.val(row.txid).as('txid'),
        of.val(row.transaction_code).as('transaction_code'),
        of.val(row.account_id).as('account_id'),
      ]),
    ),
)

/** Lists that are read once a day. */
const DAILY_SWEEPS = ['daily', ...Object.keys(LATE_SWEEP_DAYS)] as SweepKind[]

interface FirstSweeps {
  readonly account_id: string
  readonly asked_at: number
  readonly later: number
}

type NewSweep = Pick<BankSweepRow, 'account_id' | 'swept_until' | 'next_sweep_at'> & {
  readonly kind: RawBuilder<SweepKind>
}

const insertSweeps = (kindsOf: (first: FirstSweeps) => readonly NewSweep[]) =>
  prepare((db: Db, first: FirstSweeps) =>
    db
      .insertInto('bank_sweeps')
      .values(kindsOf(first))
      .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doNothing()),
  )

const insertPixSweeps = insertSweeps(({ account_id, asked_at, later }) => [
  { account_id, kind: sql.lit('recent'), swept_until: asked_at, next_sweep_at: asked_at },
  ...DAILY_SWEEPS.map((kind) => ({
    account_id,
    kind: sql.lit(kind),
    swept_until: asked_at,
    next_sweep_at: later,
  })),
])

const insertBoletoSweeps = insertSweeps(({ account_id, asked_at, later }) => [
  { account_id, kind: sql.lit('notices'), swept_until: asked_at, next_sweep_at: later },
])

/**
 * An account's payments are listed from its first PIX on, its bank's notices from its first boleto
 * on.
 */
export function sweepsFrom({
  accountId: account_id,
  method,
  askedAtMs: asked_at,
}: Pick<NewBankCharge, 'accountId' | 'method' | 'askedAtMs'>): Statement {
  return method === 'pix'
    ? insertPixSweeps({ account_id, asked_at, later: asked_at + DAY_MS })
    : insertBoletoSweeps({ account_id, asked_at, later: asked_at + NOTICES_PAUSE_MS })
}

/** Writes a planned charge at an account's bank with its intent. */
export function chargePart(charge: NewBankCharge): IntentPart {
  return { after: (intent) => chargeIfInserted(intent, charge) }
}

function chargeIfInserted(
  { code, publicId }: Transaction,
  charge: NewBankCharge,
): readonly Statement[] {
  const row = {
    transaction_code: code,
    public_id: publicId,
    account_id: charge.accountId,
    method: charge.method,
    txid: charge.name,
    due_date: charge.dueDate ?? null,
    asked_at: charge.askedAtMs,
  }
  return [insertCharge(row), insertTxid(row), sweepsFrom(charge)]
}

/** The caller has locked the transaction, and deletes it next, if it may be withdrawn. */
function isWithdrawn(code: number): Expression<SqlBool> {
  const of = expressionBuilder<GatewayTables>()
  return of.exists(
    of.selectFrom('transactions').select('code').where('code', '=', code).where(isUndecidedRow()),
  )
}

interface OfTransaction {
  readonly code: number
}

const deleteTxid = prepare((db: Db, { code }: OfTransaction) =>
  db
    .deleteFrom('charge_names')
    .where('txid', '=', (of) =>
      of.selectFrom('bank_charges').select('txid').where('transaction_code', '=', code),
    )
    .where(isWithdrawn(code)),
)

const deleteCharge = prepare((db: Db, { code }: OfTransaction) =>
  db.deleteFrom('bank_charges').where('transaction_code', '=', code).where(isWithdrawn(code)),
)

/** Deletes the charge of an intent with it. */
export const removeCharge: IntentRemoval = ({ code, paymentType }) =>
  chargeMethodOf(paymentType) === undefined ? [] : [deleteTxid({ code }), deleteCharge({ code })]
