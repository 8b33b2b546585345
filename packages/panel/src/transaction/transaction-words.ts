import type { PaymentType, RefundStatus, TransactionStatus } from '@cofre/contracts'
import { type Translated, translated } from '../language/language.js'

/** What the words of the API mean. */
interface TransactionWords {
  readonly statuses: Readonly<Record<TransactionStatus, string>>
  readonly methods: Readonly<Record<PaymentType, string>>
  readonly refunds: Readonly<Record<RefundStatus, string>>
}

export const transactionWords: Translated<TransactionWords> = translated<TransactionWords>({
  'pt-BR': {
    statuses: {
      PENDING: 'à espera do pagamento',
      'UNDER-REVIEW': 'em análise',
      COMPLETE: 'paga',
      CANCELLED: 'cancelada',
      EXPIRED: 'expirada',
      'NOT-PAID': 'não paga',
      REFUNDED: 'reembolsada',
      CHARGEBACK: 'contestada',
    },
    methods: {
      'credit-card': 'Cartão de crédito',
      postpay: 'Boleto',
      'e-wallet': 'Carteira',
      eft: 'PIX',
    },
    refunds: { PROCESSING: 'em processamento', PROCESSED: 'concluído', REJECTED: 'recusado' },
  },
  en: {
    statuses: {
      PENDING: 'waiting for payment',
      'UNDER-REVIEW': 'under review',
      COMPLETE: 'paid',
      CANCELLED: 'cancelled',
      EXPIRED: 'expired',
      'NOT-PAID': 'not paid',
      REFUNDED: 'refunded',
      CHARGEBACK: 'charged back',
    },
    methods: {
      'credit-card': 'Credit card',
      postpay: 'Boleto',
      'e-wallet': 'Wallet',
      eft: 'PIX',
    },
    refunds: { PROCESSING: 'processing', PROCESSED: 'processed', REJECTED: 'rejected' },
  },
})

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet'

const TONES: Readonly<Record<TransactionStatus | RefundStatus, Tone>> = {
  PENDING: 'waiting',
  'UNDER-REVIEW': 'waiting',
  COMPLETE: 'good',
  CANCELLED: 'bad',
  EXPIRED: 'quiet',
  'NOT-PAID': 'quiet',
  REFUNDED: 'quiet',
  CHARGEBACK: 'bad',
  PROCESSING: 'waiting',
  PROCESSED: 'good',
  REJECTED: 'bad',
}

/** How a status is coloured. */
export function toneOf(status: TransactionStatus | RefundStatus): Tone {
  return TONES[status]
}
