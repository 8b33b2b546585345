import {
  type CardDispute,
  type GatewayTables,
  type PagePart,
  type Transaction,
  createShownPayments,
  mayBeWithdrawn,
  transactionCodeSchema,
} from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import type { PaymentNotifications, TransactionDetails } from './model/payment-file.js'
import { detailsOf } from './payment-files.js'
import { listDisputes } from './sql/dispute-list-sql.js'
import { type SurplusPayment, listSurpluses } from './sql/surplus-list-sql.js'
import {
  type TransactionsQuery,
  listTransactions,
  listUndecided,
} from './sql/transaction-list-sql.js'

/** An operator's view of every store's transactions, in processes that do not serve them. */
export interface OperatorView {
  /** Newest first. */
  readonly list: (query: TransactionsQuery) => Promise<readonly Transaction[]>
  /** Orders with unanswered requests, which may be withdrawn. */
  readonly undecided: (limit: number) => Promise<readonly Transaction[]>
  /** Surpluses of one store or of all, those found last first. */
  readonly surpluses: (limit: number, merchantId?: string) => Promise<readonly SurplusPayment[]>
  /** Disputed charges, whose money is lost or at risk, last first. */
  readonly disputes: (limit: number, merchantId?: string) => Promise<readonly CardDispute[]>
}

export function createOperatorView(database: Database<GatewayTables>): OperatorView {
  return {
    list: (query) => listTransactions(database.reader, query),
    undecided: (limit) => listUndecided(database.reader, limit),
    surpluses: (limit, merchantId) => listSurpluses(database.reader, limit, merchantId),
    disputes: (limit, merchantId) => listDisputes(database.reader, limit, merchantId),
  }
}

/** The dependencies of reading any store's transaction, in processes that do not serve them. */
export interface PaymentViewOptions {
  readonly database: Database<GatewayTables>
  readonly notifications: Pick<PaymentNotifications, 'ofPayment'>
  /** The rooms' parts of a payment's page. */
  readonly ofRooms?: readonly PagePart[]
}

/** A transaction with its whole history; undefined if there is none. */
export async function findPayment(
  { database, notifications, ofRooms = [] }: PaymentViewOptions,
  codeText: string,
): Promise<TransactionDetails | undefined> {
  const payments = createShownPayments(database, ofRooms)
  const code = transactionCodeSchema.safeParse(codeText)
  const found = code.success ? await payments.findByCode(code.data) : undefined
  if (found === undefined || mayBeWithdrawn(found)) return undefined
  return await detailsOf({ payments, notifications }, found)
}
