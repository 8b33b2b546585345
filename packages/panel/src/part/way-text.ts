import type { Transaction } from '@cofre/gateway/room'
import { properName } from '@cofre/pages'
import type { Texts } from '../visit/texts.js'

/** The payment method in a few words: `PIX`, `Visa 1111`, `PayPal`. */
export function wayText(
  {
    paymentType,
    subType,
    cardLastFour,
  }: Pick<Transaction, 'paymentType' | 'subType' | 'cardLastFour'>,
  methods: Texts['methods'],
): string {
  const isNamed = paymentType === 'credit-card' || paymentType === 'e-wallet'
  if (!isNamed || subType === undefined) return methods[paymentType]
  return [properName(subType), cardLastFour].filter((part) => part !== undefined).join(' ')
}
