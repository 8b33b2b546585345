// Payments that tests of the console show.
import { DAY_MS, minorUnits } from '@cofre/contracts'
import type { BankChargeDetails, Refund, Transaction } from '@cofre/gateway/room'
import { NOW_MS, STORE_ID, pixPayment } from '@cofre/panel/testing'
import type { TransactionDetails } from '../model/payment-file.js'

const CODE = 1001 as Transaction['code']

/** A PIX that waits for its payer, with its history and the given changes. */
export function pixTransaction(
  overrides: Parameters<typeof pixPayment>[0] = {},
  details: Partial<Omit<TransactionDetails, 'transaction'>> = {},
): TransactionDetails {
  const transaction = pixPayment(overrides)
  const history = [{ status: transaction.status, atMs: NOW_MS }]
  return {
    transaction,
    payerName: 'Maria de Souza',
    history,
    refunds: [],
    refundNotes: new Map(),
    notifications: [],
    cardChanges: [],
    paidOut: [],
    ...details,
  }
}

/** A card that is authorized for seven days: the rule acts on it a day earlier. */
export const AUTHORIZED_CARD = {
  paymentType: 'credit-card',
  subType: 'visa',
  cardLastFour: '1111',
  expiresAtMs: undefined,
  paymentDetails: undefined,
  capture: {
    state: 'authorized',
    authorizedAtMs: NOW_MS,
    beforeMs: NOW_MS + 6 * DAY_MS,
    endsAtMs: NOW_MS + 7 * DAY_MS,
  },
} as const satisfies Partial<Transaction>

/** A PIX at a bank that was paid twice; the surplus is on its way back. */
export const PIX_PAID_TWICE: BankChargeDetails = {
  transactionCode: CODE,
  accountId: 'efi-test',
  accountLabel: 'Efí, test',
  method: 'pix',
  name: 'a'.repeat(32) as BankChargeDetails['name'],
  state: 'closed',
  openedAtMs: NOW_MS,
  bankExpiresAtMs: NOW_MS + DAY_MS,
  dueDate: undefined,
  bankId: undefined,
  ourNumber: undefined,
  issuedAtMs: undefined,
  reason: undefined,
  payments: [
    {
      endToEndId: 'E0001',
      amountMinor: minorUnits(123_456),
      paidAtMs: NOW_MS,
      foundAtMs: NOW_MS,
      way: 'pix',
      purpose: 'order',
      refundStatus: undefined,
      refundedAtMs: undefined,
      bankRefunds: [{ id: 'D77', amountMinor: minorUnits(5_000), state: 'returned' }],
    },
    {
      endToEndId: 'E0002',
      amountMinor: minorUnits(123_456),
      paidAtMs: undefined,
      foundAtMs: NOW_MS,
      way: 'pix',
      purpose: 'second-payment',
      refundStatus: 'PROCESSING',
      refundedAtMs: undefined,
      bankRefunds: [],
    },
  ],
}

/** A refund that waits for a decision. */
export const WAITING_REFUND: Refund = {
  id: 501 as Refund['id'],
  transactionCode: CODE,
  merchantId: STORE_ID,
  status: 'PROCESSING',
  amountMinor: minorUnits(5_000),
  chargedMinor: undefined,
  reference: 'refund-1',
  notifyUrl: 'https://shop.example/refunds',
  requestedAtMs: NOW_MS,
  processedAtMs: undefined,
  metadata: undefined,
  notBeforeMs: undefined,
  providerRefundId: undefined,
  nature: undefined,
  identity: undefined,
}
