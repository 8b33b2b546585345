import { type MinorUnits, minorUnits } from '@cofre/contracts'
import type { Refund } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import type { View } from '../visit/visit.js'
import { formatMoney } from '../visit/format.js'

/** How much of a payment was refunded, if only a part was. */
export function partlyRefunded(
  { language, texts }: View,
  amountMinor: MinorUnits,
  refunds: readonly Pick<Refund, 'amountMinor' | 'status'>[],
): string | undefined {
  const made = refunds.filter(({ status }) => status === 'PROCESSED')
  const partMinor = minorUnits(made.reduce((sum, refund) => sum + refund.amountMinor, 0))
  if (partMinor === 0 || partMinor >= amountMinor) return undefined
  const part = formatMoney(partMinor, language)
  return fill(texts.payments.partlyRefunded, {
    part,
    whole: formatMoney(amountMinor, language),
  })
}
