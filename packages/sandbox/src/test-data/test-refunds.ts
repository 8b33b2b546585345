import { MINUTE_MS } from '@cofre/contracts'
import type { RefundEnd } from '@cofre/gateway'
import type { BilingualText } from './bilingual-text.js'

/** A word in a refund's reference that chooses its end, whatever the settlement mode. */
export interface TestRefund {
  readonly word: string
  readonly outcome: RefundEnd
  /** Milliseconds of the sandbox's clock. */
  readonly afterMs: number
  readonly meaning: BilingualText
}

export const TEST_REFUNDS: readonly TestRefund[] = [
  {
    word: 'reject',
    outcome: 'REJECTED',
    afterMs: 0,
    meaning: { en: 'rejected at once', 'pt-BR': 'rejeitado na hora' },
  },
  {
    word: 'slow',
    outcome: 'PROCESSED',
    afterMs: 5 * MINUTE_MS,
    meaning: { en: 'processed after 5 minutes', 'pt-BR': 'processado após 5 minutos' },
  },
]

/** What a refund's reference chooses; undefined when it chooses nothing. */
export function testRefundOf(reference: string | undefined): TestRefund | undefined {
  const text = reference?.toLowerCase() ?? ''
  return TEST_REFUNDS.find(({ word }) => text.includes(word))
}
