// A room's way to let payers pay: each payment is one of the core's own, which the room never
// writes.
import type { PaymentType } from '@cofre/contracts'
import type { MethodObstacle, PaymentMethods } from '../method/payment-method.js'
import type { Merchant } from '../model/merchant/merchant.js'
import type { Transaction } from '../model/transaction/transaction.js'
import { type Cancellation, cancelWaiting } from './cancellation-service.js'
import type { MerchantStore, TransactionStore } from './ports.js'
import type { CreateTransaction } from './transaction-service.js'

/** The core's interface for a room that has stores paid. */
export interface RoomPayments {
  /** Undefined if there is no such store. */
  readonly findStore: (id: string) => Promise<Merchant | undefined>
  /** Why a store can take no payment of a type; undefined if it can, or only an order shows it. */
  readonly obstacle: (type: PaymentType, storeId: string) => Promise<MethodObstacle | undefined>
  /**
   * Creates a transaction: commits its intent with the room's parts, then calls its method.
   * @throws ApiError as the API's own creation does
   */
  readonly create: CreateTransaction
  /** Ends a payment that waits for its payer; a charge at a bank is removed there first. */
  readonly cancelWaiting: (payment: Transaction) => Promise<Cancellation>
  /** When its provider stops accepting payment; undefined if no provider has reported that. */
  readonly payableUntilMs: (payment: Transaction) => Promise<number | undefined>
}

export interface RoomPaymentsDeps {
  readonly merchants: MerchantStore
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
  readonly create: CreateTransaction
}

export function createRoomPayments(deps: RoomPaymentsDeps): RoomPayments {
  const { create, merchants, methods } = deps
  return {
    findStore: (id) => merchants.find(id),
    obstacle: async (type, storeId) => await methods.of(type).obstacle?.(storeId),
    create,
    cancelWaiting: (payment) => cancelWaiting(deps, payment),
    payableUntilMs: async (payment) =>
      await methods.of(payment.paymentType).payableUntilMs?.(payment),
  }
}
