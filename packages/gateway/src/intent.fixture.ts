import { minorUnits } from '@cofre/contracts'
import { MERCHANT, NOW_MS } from './gateway.fixture.js'
import type { Transaction, TransactionCode } from './model/transaction/transaction.js'

export function intentOf(number: number, changes: Partial<Transaction> = {}): Transaction {
  return {
    code: number as TransactionCode,
    merchantId: MERCHANT.id,
    reference: `order-${number}`,
    status: 'PENDING',
    firstStatus: undefined,
    open: true,
    paymentType: 'credit-card',
    subType: undefined,
    amountMinor: minorUnits(100),
    chargedMinor: minorUnits(100),
    installments: 1,
    payerEmail: 'maria@example.com',
    payerDocument: '52998224725',
    description: '',
    notificationUrl: 'https://shop.example/notifications',
    savedCard: undefined,
    cardBin: undefined,
    cardLastFour: undefined,
    publicId: `p-${number}`,
    paymentDetails: undefined,
    requestJson: '{}',
    orderFingerprint: undefined,
    createdAtMs: NOW_MS,
    paidAtMs: undefined,
    expiresAtMs: undefined,
    nextAskAtMs: undefined,
    activateAtMs: undefined,
    statusChangedAtMs: NOW_MS,
    ...changes,
  }
}
