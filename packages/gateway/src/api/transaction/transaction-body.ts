import {
  type PaymentMethodBody,
  type SavedCardSummary,
  type TransactionBody,
  creationStatusOf,
} from '@cofre/contracts'
import { jsonAmount } from '../request/json-amount.js'
import { boletoPath, qrPath } from '../../model/payer-page/payer-paths.js'
import { formatTimestamp } from '../../model/transaction/brasilia-time.js'
import type { Transaction } from '../../model/transaction/transaction.js'

/**
 * Body of `201 Created` of `POST /transactions` (specification, section 2.3).
 * @param publicUrl - Origin at which payers reach this environment.
 */
export function transactionBody(transaction: Transaction, publicUrl: string): TransactionBody {
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
      ...paymentFields(transaction, publicUrl),
    },
    ...(transaction.savedCard !== undefined && {
      'payment-methods': [paymentMethodBody(transaction.savedCard)],
    }),
  }
}

type PaymentFields = Pick<
  TransactionBody['transaction'],
  'barcode-number' | 'digitable-line' | 'payment-url' | 'payment-code' | 'qrcode-image'
>

/** What the payer needs to pay, by method. */
function paymentFields(
  { publicId, paymentDetails }: Transaction,
  publicUrl: string,
): PaymentFields {
  switch (paymentDetails?.kind) {
    case 'boleto':
      return {
        'barcode-number': paymentDetails.barcode,
        'digitable-line': paymentDetails.digitableLine,
        'payment-url': publicUrl + boletoPath(publicId),
      }
    case 'pix':
      return {
        'payment-code': paymentDetails.code,
        'qrcode-image': publicUrl + qrPath(publicId, 'png'),
      }
    case 'wallet':
      return { 'payment-url': paymentDetails.paymentUrl }
    case undefined:
      return {}
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
