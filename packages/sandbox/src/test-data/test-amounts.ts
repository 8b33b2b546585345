import { MINUTE_MS, type TransactionStatus } from '@cofre/contracts'
import type { BilingualText } from './bilingual-text.js'

/** Centavos of a boleto or PIX amount that choose its outcome, whatever the settlement mode. */
export interface TestAmount {
  /** The last two digits of the amount in centavos. */
  readonly centavos: number
  readonly status: Readonly<Record<'boleto' | 'pix', TransactionStatus>>
  /** Milliseconds of the sandbox's clock. */
  readonly afterMs: number
  readonly meaning: BilingualText
}

const PAID = { boleto: 'COMPLETE', pix: 'COMPLETE' } as const

export const TEST_AMOUNTS: readonly TestAmount[] = [
  {
    centavos: 1,
    status: PAID,
    afterMs: 0,
    meaning: { en: 'paid at once', 'pt-BR': 'pago na hora' },
  },
  {
    centavos: 2,
    status: PAID,
    afterMs: 5 * MINUTE_MS,
    meaning: { en: 'paid after 5 minutes', 'pt-BR': 'pago após 5 minutos' },
  },
  {
    centavos: 3,
    status: { boleto: 'NOT-PAID', pix: 'EXPIRED' },
    afterMs: 0,
    meaning: {
      en: 'never paid: a boleto is NOT-PAID, a PIX EXPIRED, at once',
      'pt-BR': 'nunca pago: o boleto fica NOT-PAID, o PIX EXPIRED, na hora',
    },
  },
]

const CENTAVOS_IN_A_REAL = 100

/** What the amount chooses; undefined when it chooses nothing. */
export function testAmountOf(
  method: 'boleto' | 'pix',
  amountMinor: number,
): { readonly status: TransactionStatus; readonly afterMs: number } | undefined {
  const chosen = TEST_AMOUNTS.find(({ centavos }) => amountMinor % CENTAVOS_IN_A_REAL === centavos)
  return chosen && { status: chosen.status[method], afterMs: chosen.afterMs }
}
