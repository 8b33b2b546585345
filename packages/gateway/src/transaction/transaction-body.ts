import {
  type PaymentMethodBody,
  type SavedCardSummary,
  type TransactionBody,
  creationStatusOf,
} from '@cofre/contracts'
import { jsonAmount } from '../http/json-amount.js'
import { formatTimestamp } from './timestamp.js'
import type { Transaction } from './transaction.js'

/** Body of `201 Created` of `POST /transactions` (spec 2.3). */
export function transactionBody(transaction: Transaction): TransactionBody {
  return {
    transaction: {
      code: String(transaction.code),
      reference: transaction.reference,
      amount: jsonAmount(transaction.amountMinor),
      status: creationStatusOf(transaction.status),
      currency: 'BRL',
      country: 'BR',
      'payer-email': transaction.payerEmail,
      'date-created': formatTimestamp(transaction.createdAtMs),
    },
    ...(transaction.savedCard !== undefined && {
      'payment-methods': [paymentMethodBody(transaction.savedCard)],
    }),
  }
}

const MASK = '*'.repeat(12)

/** A saved card, masked (PCI DSS 3.4.1). */
export function paymentMethodBody(card: SavedCardSummary): PaymentMethodBody {
  return {
    code: card.code,
    'credit-card': {
      brand: card.brand,
      'masked-number': MASK + card.lastFour,
      'expiration-date': card.expirationDate,
    },
    'date-created': formatTimestamp(card.createdAtMs),
  }
}
