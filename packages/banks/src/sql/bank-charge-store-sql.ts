import type { Connection, Database } from '@cofre/sql'
import type { PixBankPayment } from '@cofre/provider-kit/bank'
import {
  type ChargeRead,
  type ChargeReadEnd,
  type NewBankCharge,
  REOPEN_AFTER_MS,
} from '../model/bank-charge.js'
import {
  type BankCharge,
  type BankChargeDetails,
  type ChargeName,
  type GatewayTables,
  type MethodAnswer,
  type Transaction,
  type TransactionCode,
  findAnywhere,
  listEverywhere,
  settleWaiting,
  storedCharge,
  storedPayment,
} from '@cofre/gateway/method'
import { refundsAfter } from '../model/pix-refund.js'
import { type Reading, type Recorded, recordReading } from './bank-payment-sql.js'
import { chargePart, sweepsFrom } from './charge-intent-sql.js'
import { type ReadClaim, claimReads, finishRead, planReads } from './charge-read-sql.js'

type Db = Connection<GatewayTables>

/** A charge that the bank has opened, or at least accepted. Times are by the machine's clock. */
export interface OpenedCharge extends Pick<
  BankCharge,
  'name' | 'bankId' | 'ourNumber' | 'issuedAtMs'
> {
  readonly bankExpiresAtMs: number
  readonly openedAtMs: number
  readonly firstReadAtMs: number
}

/** A payment of a bank's list, and its transaction. */
export interface ListedPayment {
  readonly transactionCode: TransactionCode
  readonly payment: PixBankPayment
}

/** The charges of transactions at the banks of accounts, and their payments. */
export function createSqlBankChargeStore(database: Database<GatewayTables>) {
  return { ...foundIn(database), ...changesOf(database), ...readsAt(database) }
}

function foundIn({ reader }: Database<GatewayTables>) {
  return {
    find: (code: TransactionCode) => findAnywhere(reader, (db) => findCharge(db, code)),

    /** A charge with its payments, in the order of discovery. */
    details: (code: TransactionCode) => findAnywhere(reader, (db) => findDetails(db, code)),

    /** The payments that belong to charges of the account and are not recorded as such. */
    news: (accountId: string, payments: readonly PixBankPayment[]) =>
      unknownPayments(reader, accountId, payments),
  }
}

function changesOf(database: Database<GatewayTables>) {
  return {
    /** Commits a charge with its intent, before its bank is asked. */
    intentPart: chargePart,

    /**
     * Commits that a payer can pay: the transaction waits, and the charge is live. Undefined, and
     * nothing changed, if a process removes the charge or asks another account.
     */
    open: (
      intent: Transaction,
      opened: OpenedCharge,
      settlement: Omit<MethodAnswer, 'status' | 'open'>,
    ) => database.transact((trx) => openCharge(trx, { intent, opened }, settlement)),

    /**
     * Commits that another account is asked, under another name: the previous one has proven that
     * it has no charge. False, and nothing changed, if the charge is being removed.
     */
    routeOn: (code: TransactionCode, next: NewBankCharge) =>
      database.transact((trx) => routeOn(trx, code, next)),

    /** Commits that a request ended without proof of whether a charge exists. */
    async doubt(code: TransactionCode, name: ChargeName): Promise<void> {
      await database.transact((trx) =>
        trx
          .updateTable('bank_charges')
          .set({ state: 'doubtful' })
          .where('transaction_code', '=', code)
          .where('txid', '=', name)
          .where('state', '=', 'asked')
          .execute(),
      )
    },

    /**
     * Commits that the bank is asked once more, under the same name. True for exactly one caller;
     * false while an earlier request may be in flight.
     */
    renewRequest: (code: TransactionCode, name: ChargeName, machineNowMs: number) =>
      database.transact((trx) => renewRequest(trx, { code, name }, machineNowMs)),

    /**
     * Bars payers from getting the charge, and processes from requesting it. Undefined if a payer
     * has it, or if the intent is gone or has another charge. The caller then removes it at the
     * bank, and may retry. @returns since when it is being removed
     */
    beginRemoval: (removed: RemovedCharge) =>
      database.transact((trx) => beginRemoval(trx, removed)),

    /**
     * Commits a bank's report on a charge: each payment once, the resulting status, and what is due
     * for a surplus. Undefined, and nothing changed, before a payer has the charge.
     */
    record: (reading: Reading): Promise<Recorded | undefined> =>
      database.transact((trx) => recordReading(trx, reading)),
  }
}

function readsAt(database: Database<GatewayTables>) {
  return {
    /**
     * Claims due charges, each for exactly one caller until its lease ends, even when called
     * concurrently.
     */
    claimReads: (claim: ReadClaim) => claimReads(database, claim),

    /** Ends the claim. No look is planned for a closed charge without new findings. */
    finishRead: (read: ChargeRead, end: ChargeReadEnd) =>
      database.transact((trx) => finishRead(trx, read, end)),

    /** Plans looks at charges of an account. Unknown txids are ignored. */
    planReadsByName: (accountId: string, names: readonly string[], machineNowMs: number) =>
      planReadsByName(database, { accountId, names }, machineNowMs),

    /** Plans a look at the charge of a transaction, if it has one. */
    planRead: (code: TransactionCode, machineNowMs: number) =>
      database.transact((trx) => planReads(trx, [code], machineNowMs)),
  }
}

async function findCharge(db: Db, code: TransactionCode): Promise<BankCharge | undefined> {
  const row = await db
    .selectFrom('bank_charges')
    .select(storedCharge.columns)
    .where('transaction_code', '=', code)
    .executeTakeFirst()
  return row && storedCharge.read(row)
}

async function findDetails(db: Db, code: TransactionCode): Promise<BankChargeDetails | undefined> {
  const charge = await findCharge(db, code)
  if (charge === undefined) return undefined
  const { label: accountLabel } = await db
    .selectFrom('accounts')
    .select('label')
    .where('id', '=', charge.accountId)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('bank_payments')
    .select(storedPayment.columns)
    .where('transaction_code', '=', code)
    .orderBy('found_at')
    .orderBy('end_to_end_id')
    .execute()
  return { ...charge, accountLabel, payments: rows.map(storedPayment.read) }
}

async function openCharge(
  trx: Db,
  { intent, opened }: { readonly intent: Transaction; readonly opened: OpenedCharge },
  settlement: Omit<MethodAnswer, 'status' | 'open'>,
): Promise<Transaction | undefined> {
  const { code } = intent
  const isOpen = await lockOpen(trx, code)
  if (!isOpen) return undefined
  const { numUpdatedRows } = await trx
    .updateTable('bank_charges')
    .set((set) => ({
      state: 'live',
      opened_at: opened.openedAtMs,
      bank_expires_at: opened.bankExpiresAtMs,
      bank_id: opened.bankId ?? null,
      our_number: opened.ourNumber ?? null,
      issued_at: opened.issuedAtMs ?? null,
      // A notice may have come before the answer.
      next_look_at: set.fn.coalesce('next_look_at', set.val(opened.firstReadAtMs)),
    }))
    .where('transaction_code', '=', code)
    .where('txid', '=', opened.name)
    .where('state', 'in', ['asked', 'doubtful'])
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n ? await settleWaiting(trx, code, settlement) : undefined
}

async function lockOpen(trx: Db, code: TransactionCode): Promise<boolean> {
  const row = await trx
    .selectFrom('transactions')
    .select('open')
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  return row?.open === 1
}

async function routeOn(trx: Db, code: TransactionCode, next: NewBankCharge): Promise<boolean> {
  const isOpen = await lockOpen(trx, code)
  const charge = isOpen ? await findCharge(trx, code) : undefined
  if (charge?.state !== 'asked') return false
  await trx.deleteFrom('charge_names').where('txid', '=', charge.name).execute()
  const { accountId, askedAtMs, name } = next
  await trx
    .insertInto('charge_names')
    .values({ txid: name, transaction_code: code, account_id: accountId })
    .execute()
  await trx
    .updateTable('bank_charges')
    .set({ account_id: accountId, txid: name, asked_at: askedAtMs, next_look_at: null })
    .where('transaction_code', '=', code)
    .execute()
  await trx.run(sweepsFrom(next))
  return true
}

interface NamedCharge {
  readonly code: TransactionCode
  readonly name: ChargeName
}

async function renewRequest(
  trx: Db,
  { code, name }: NamedCharge,
  machineNowMs: number,
): Promise<boolean> {
  const isOpen = await lockOpen(trx, code)
  if (!isOpen) return false
  const { numUpdatedRows } = await trx
    .updateTable('bank_charges')
    .set({ asked_at: machineNowMs })
    .where('transaction_code', '=', code)
    .where('txid', '=', name)
    .where('state', 'in', ['asked', 'doubtful'])
    .where('asked_at', '<=', machineNowMs - REOPEN_AFTER_MS)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** A charge to remove, and why. */
export interface RemovedCharge extends NamedCharge {
  readonly machineNowMs: number
  readonly reason?: string | undefined
}

async function beginRemoval(
  trx: Db,
  { code, name, machineNowMs, reason }: RemovedCharge,
): Promise<number | undefined> {
  const isOpen = await lockOpen(trx, code)
  if (!isOpen) return undefined
  const row = await trx
    .updateTable('bank_charges')
    .set((set) => ({
      state: 'removing',
      removing_since: set.fn.coalesce('removing_since', set.val(machineNowMs)),
      reason: set.fn.coalesce('reason', set.val(reason ?? null)),
    }))
    .where('transaction_code', '=', code)
    .where('txid', '=', name)
    .where('state', 'in', ['asked', 'doubtful', 'removing'])
    .returning('removing_since')
    .executeTakeFirst()
  return row?.removing_since ?? undefined
}

/** The limit of one statement. */
const NAMES_AT_ONCE = 500

async function codesOf(
  db: Db,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, TransactionCode>> {
  const codes = new Map<string, TransactionCode>()
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    const rows = await db
      .selectFrom('charge_names')
      .select(['txid', 'transaction_code'])
      .where('txid', 'in', names.slice(from, from + NAMES_AT_ONCE))
      // Another account's charges are foreign, even if the store is the same.
      .where('account_id', '=', accountId)
      .execute()
    for (const { txid, transaction_code: code } of rows) codes.set(txid, code as TransactionCode)
  }
  return codes
}

async function planReadsByName(
  database: Database<GatewayTables>,
  { accountId, names }: { readonly accountId: string; readonly names: readonly string[] },
  machineNowMs: number,
): Promise<void> {
  // PostgreSQL rejects NUL in a text.
  const named = [...new Set(names)].filter(isChargeName)
  const codes = [...(await codesOf(database.reader, accountId, named)).values()]
  if (codes.length === 0) return
  await database.transact((trx) => planReads(trx, codes, machineNowMs))
}

/** True if it may be our name for a charge: a PIX name by the standard, or a boleto's name. */
function isChargeName(text: string): boolean {
  return /^[a-zA-Z0-9]{15,35}$/.test(text)
}

async function unknownPayments(
  db: Db,
  accountId: string,
  payments: readonly PixBankPayment[],
): Promise<readonly ListedPayment[]> {
  const names = payments.flatMap(({ txid = '' }) => (isChargeName(txid) ? [txid] : []))
  const codes = await codesOf(db, accountId, [...new Set(names)])
  if (codes.size === 0) return []
  const known = await listEverywhere(
    db,
    async (payments) => {
      const rows = await payments
        .selectFrom('bank_payments')
        .select(storedPayment.columns)
        .where('transaction_code', 'in', [...new Set(codes.values())])
        .execute()
      return rows.map(storedPayment.read)
    },
    ({ endToEndId }) => endToEndId,
  )
  const byId = new Map(known.map((paid) => [paid.endToEndId, paid]))
  return payments.flatMap((payment) => {
    const transactionCode = codes.get(payment.txid ?? '')
    const before = byId.get(payment.endToEndId)?.bankRefunds
    const isKnown = before !== undefined && refundsAfter(before, payment.refunds) === before
    return transactionCode === undefined || isKnown ? [] : [{ transactionCode, payment }]
  })
}
