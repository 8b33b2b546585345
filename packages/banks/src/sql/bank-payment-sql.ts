// Writes payments: each once, with the status that follows from it.
import type { Connection } from '@cofre/sql'
import {
  type FoundPayment,
  type IssuedBoleto,
  READ_PAUSE_MS,
  purposeOf,
} from '../model/bank-charge.js'
import {
  type BankCharge,
  type BankPayment,
  type BoletoDetails,
  type GatewayTables,
  type RefundId,
  type Transaction,
  type TransactionCode,
  boletoOf,
  changeStatus,
  findToChange,
  paymentChanged,
  storedCharge,
  storedPayment,
  storedTransaction,
} from '@cofre/gateway/method'
import { refundsAfter } from '../model/pix-refund.js'
import { type RefundChange, recordOrderRefunds, surplusStatusAfter } from './bank-refund-sql.js'

type Db = Connection<GatewayTables>

/** A bank's report on a charge. */
export interface Reading {
  readonly transactionCode: TransactionCode
  readonly payments: readonly FoundPayment[]
  /** A boleto that its bank has issued since. */
  readonly issued?: IssuedBoleto | undefined
  /** The charge can no longer be paid; an unpaid transaction ends with this status. */
  readonly ended?: 'EXPIRED' | 'CANCELLED' | 'NOT-PAID' | undefined
  /** Why the charge must not, or cannot, be paid: one redacted line. */
  readonly reason?: string | undefined
  /** No payer should have got the charge, which is being removed. */
  readonly isUnshown?: boolean
  /** By the environment's clock. */
  readonly atMs: number
  readonly machineNowMs: number
  /** Draws the number of a refund that people made at the bank. */
  readonly newRefundId: () => RefundId
}

export interface Recorded {
  readonly transaction: Transaction
  readonly charge: BankCharge
  /** The news about the order's refunds. */
  readonly refunds: readonly RefundChange[]
  /** New surpluses, and those that the bank does not send back after all. */
  readonly surpluses: readonly BankPayment[]
}

/** Locks the transaction first, as every change of a refund does. */
export async function recordReading(trx: Db, reading: Reading): Promise<Recorded | undefined> {
  const { transactionCode: code, ended, atMs } = reading
  const row = await findToChange(trx, code, () =>
    trx
      .selectFrom('transactions')
      .selectAll()
      .where('code', '=', code)
      .forUpdate()
      .executeTakeFirst(),
  )
  const charge = await trx
    .selectFrom('bank_charges')
    .select(storedCharge.columns)
    .where('transaction_code', '=', code)
    .executeTakeFirst()
  if (row === undefined || charge === undefined) return undefined
  const { isUnshown = false } = reading
  const { state } = charge
  const isFit = isUnshown ? state === 'removing' : state === 'live' || state === 'closed'
  if (!isFit) return undefined
  const before = await withCodes(trx, reading, {
    transaction: storedTransaction.read(row),
    charge: storedCharge.read(charge),
  })
  // A charge under removal ends before any money counts as its payment.
  const cancelled = isUnshown
    ? await changeWaiting(trx, before, { to: 'CANCELLED', atMs })
    : undefined
  const { account_id: accountId } = charge
  const paid = await recordPayments(trx, { ...reading, accountId }, cancelled ?? before)
  const move = ended === undefined ? undefined : { to: ended, atMs }
  const transaction =
    (move && (await changeWaiting(trx, paid.transaction, move))) ?? paid.transaction
  const closesCharge = transaction.status !== 'PENDING' && (ended !== undefined || paid.isForOrder)
  if (closesCharge) await close(trx, reading)
  if (reading.reason !== undefined) await recordReason(trx, code, reading.reason)
  const isIssued = charge.issued_at !== null || reading.issued !== undefined
  return {
    transaction,
    charge: {
      ...storedCharge.read(charge),
      ...(isIssued && { issuedAtMs: charge.issued_at ?? reading.machineNowMs }),
      ...(closesCharge && { state: 'closed' }),
    },
    refunds: paid.refunds,
    surpluses: paid.surpluses,
  }
}

/** The transaction, with its payer's codes once its bank has issued them. */
async function withCodes(
  trx: Db,
  { issued, machineNowMs }: Reading,
  { transaction, charge }: Pick<Recorded, 'transaction' | 'charge'>,
): Promise<Transaction> {
  if (issued === undefined || charge.issuedAtMs !== undefined) return transaction
  const { bankId, ourNumber, codes } = issued
  await trx
    .updateTable('bank_charges')
    .set(storedCharge.partOf({ bankId, ourNumber, issuedAtMs: machineNowMs }))
    .where('transaction_code', '=', transaction.code)
    .execute()
  return await recordBoleto(trx, transaction, codes)
}

/** Completes the known facts of a boleto. */
async function recordBoleto(
  trx: Db,
  transaction: Transaction,
  learnt: Partial<BoletoDetails>,
): Promise<Transaction> {
  const { code } = transaction
  const before = boletoOf(transaction)
  if (before === undefined) return transaction
  const paymentDetails = { ...before, ...learnt }
  await trx
    .updateTable('transactions')
    .set(storedTransaction.partOf({ paymentDetails }))
    .where('code', '=', code)
    .execute()
  // The change may cause no notification.
  await paymentChanged(trx, { code, isFoundAnyway: false })
  return { ...transaction, paymentDetails }
}

/** With a fine or a discount, a refund sends back its share of the money that came. */
async function recordCharged(
  trx: Db,
  transaction: Transaction,
  { amountMinor: chargedMinor, way }: BankPayment,
): Promise<Transaction> {
  if (way === 'elsewhere' || chargedMinor === transaction.chargedMinor) return transaction
  await trx
    .updateTable('transactions')
    .set(storedTransaction.partOf({ chargedMinor }))
    .where('code', '=', transaction.code)
    .execute()
  await paymentChanged(trx, { code: transaction.code, isFoundAnyway: false })
  return { ...transaction, chargedMinor }
}

async function changeWaiting(
  trx: Db,
  { code, status }: Transaction,
  move: Parameters<typeof changeStatus>[2],
): Promise<Transaction | undefined> {
  return status === 'PENDING' ? await changeStatus(trx, code, move) : undefined
}

interface PaidOrder extends Pick<Recorded, 'transaction' | 'refunds' | 'surpluses'> {
  /** True if one of the payments is the order's. */
  readonly isForOrder: boolean
}

type AccountReading = Reading & { readonly accountId: string }

async function recordPayments(
  trx: Db,
  reading: AccountReading,
  unpaid: Transaction,
): Promise<PaidOrder> {
  const { code } = unpaid
  const rows = await trx
    .selectFrom('bank_payments')
    .select(storedPayment.columns)
    .where('transaction_code', '=', code)
    .execute()
  const known = rows.map(storedPayment.read)
  let transaction = unpaid
  const refunds: RefundChange[] = []
  const surpluses: BankPayment[] = []
  for (const payment of inOrder(reading.payments)) {
    let paid = known.find(({ endToEndId }) => endToEndId === payment.endToEndId)
    const isNew = paid === undefined
    if (paid === undefined) {
      const purpose = purposeOf(transaction, known, payment)
      paid = await insertPayment(trx, reading, { payment, purpose })
      known.push(paid)
      if (purpose === 'order') {
        const move = { to: 'COMPLETE', atMs: reading.atMs, paidAtMs: payment.paidAtMs } as const
        transaction = (await changeWaiting(trx, transaction, move)) ?? transaction
        transaction = await recordBoleto(trx, transaction, { paidBy: paid.way })
        transaction = await recordCharged(trx, transaction, paid)
      }
    }
    const after = await recordRefunds(trx, reading, { paid, payment, transaction })
    refunds.push(...after.refunds)
    const { refundStatus } = after.paid
    const isRefused = refundStatus === 'REJECTED' && refundStatus !== paid.refundStatus
    if (paid.purpose !== 'order' && (isNew || isRefused)) surpluses.push(after.paid)
  }
  return {
    transaction,
    refunds,
    surpluses,
    isForOrder: known.some(({ purpose }) => purpose === 'order'),
  }
}

/** In order of payment: the first right one is the order's. */
function inOrder(payments: readonly FoundPayment[]): readonly FoundPayment[] {
  const byName = payments.toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))
  return byName.toSorted((a, b) => (a.paidAtMs ?? Infinity) - (b.paidAtMs ?? Infinity) || 0)
}

async function insertPayment(
  trx: Db,
  { accountId, transactionCode, atMs, machineNowMs }: AccountReading,
  { payment, purpose }: { payment: FoundPayment; purpose: BankPayment['purpose'] },
): Promise<BankPayment> {
  const { way = 'pix' } = payment
  const refundStatus =
    purpose === 'order' ? undefined : await surplusStatus(trx, transactionCode, way)
  const inserted: BankPayment = {
    endToEndId: payment.endToEndId,
    amountMinor: payment.amountMinor,
    paidAtMs: payment.paidAtMs,
    foundAtMs: atMs,
    way,
    purpose,
    refundStatus,
    refundedAtMs: undefined,
    bankRefunds: [],
  }
  await trx
    .insertInto('bank_payments')
    .values({
      ...storedPayment.rowOf(inserted),
      transaction_code: transactionCode,
      account_id: accountId,
      next_ask_at: refundStatus === 'PROCESSING' ? machineNowMs : null,
      asks: 0,
      in_process: 0,
    })
    .execute()
  return inserted
}

async function surplusStatus(
  trx: Db,
  code: TransactionCode,
  way: BankPayment['way'],
): Promise<'KEPT' | 'PROCESSING'> {
  // It cannot go back the way it came.
  if (way !== 'pix') return 'KEPT'
  const store = await trx
    .selectFrom('merchants')
    .select('surplus')
    .where('id', '=', (of) =>
      of.selectFrom('transactions').select('merchant_id').where('code', '=', code),
    )
    .executeTakeFirst()
  return store?.surplus === 'keep' ? 'KEPT' : 'PROCESSING'
}

interface PaymentRead {
  /** The payment as it was known. */
  readonly paid: BankPayment
  readonly payment: FoundPayment
  readonly transaction: Transaction
}

interface RefundsRead extends Pick<Recorded, 'refunds'> {
  /** The payment as it is known now. */
  readonly paid: BankPayment
}

/** Refunds of a surplus stay with the surplus. */
async function recordRefunds(
  trx: Db,
  reading: Reading,
  { paid, payment, transaction }: PaymentRead,
): Promise<RefundsRead> {
  const bankRefunds = refundsAfter(paid.bankRefunds, payment.refunds)
  if (bankRefunds === paid.bankRefunds) return { paid, refunds: [] }
  const isForOrder = paid.purpose === 'order'
  const refundStatus = isForOrder ? undefined : surplusStatusAfter({ ...paid, bankRefunds })
  const isEnded = refundStatus !== paid.refundStatus
  await trx
    .updateTable('bank_payments')
    .set({
      ...storedPayment.partOf({ bankRefunds, refundStatus }),
      ...(isEnded && { refunded_at: reading.atMs, next_ask_at: null }),
    })
    .where('transaction_code', '=', reading.transactionCode)
    .where('end_to_end_id', '=', payment.endToEndId)
    .execute()
  return {
    paid: { ...paid, bankRefunds, refundStatus },
    refunds: isForOrder
      ? await recordOrderRefunds(trx, transaction, { reported: bankRefunds, reading })
      : [],
  }
}

/** Keeps the first reason: the later removal of the charge may take a while. */
async function recordReason(trx: Db, code: TransactionCode, reason: string): Promise<void> {
  await trx
    .updateTable('bank_charges')
    .set({ reason })
    .where('transaction_code', '=', code)
    .where('reason', 'is', null)
    .execute()
}

/** A look that a notice has just requested still happens. */
async function close(trx: Db, { transactionCode, machineNowMs }: Reading): Promise<void> {
  await trx
    .updateTable('bank_charges')
    .set((set) => ({
      state: 'closed',
      next_look_at: set
        .case()
        .when('next_look_at', '>', machineNowMs + READ_PAUSE_MS)
        .then(null)
        .else(set.ref('next_look_at'))
        .end(),
    }))
    .where('transaction_code', '=', transactionCode)
    .execute()
}
