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

/** What an operator sees of every store's transactions, beside the processes that serve them. */
export interface OperatorView {
  /** The newest first. */
  readonly list: (query: TransactionsQuery) => Promise<readonly Transaction[]>
  /** Orders whose requests were not answered, and which may be withdrawn. */
  readonly undecided: (limit: number) => Promise<readonly Transaction[]>
  /** What was paid beside orders, of one store or of all, those found last first. */
  readonly surpluses: (limit: number, merchantId?: string) => Promise<readonly SurplusPayment[]>
  /** What acquirers have taken back of charges, or may, the last first. */
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

/** What a transaction of any store is read with, beside the processes that serve them. */
export interface PaymentViewOptions {
  readonly database: Database<GatewayTables>
  readonly notifications: Pick<PaymentNotifications, 'ofPayment'>
  /** What rooms add to the page of a payment. */
  readonly ofRooms?: readonly PagePart[]
}

/** A transaction with everything that happened to it; undefined when there is none. */
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
