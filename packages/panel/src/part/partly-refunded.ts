import { type MinorUnits, minorUnits } from '@cofre/contracts'
import { type Refund, type Transaction, capturedSums } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import type { View } from '../visit/visit.js'
import { formatMoney } from '../visit/format.js'

/** How much of a payment was captured, if only a part was. */
export function partlyCaptured(view: View, payment: Captured): string | undefined {
  const { amountMinor } = capturedSums(payment)
  if (amountMinor === payment.amountMinor) return undefined
  return ofWhole(view, {
    text: view.texts.payments.partlyCaptured,
    part: amountMinor,
    whole: payment.amountMinor,
  })
}

type Captured = Pick<Transaction, 'amountMinor' | 'chargedMinor' | 'capture'>

/** How much of a payment was refunded, if only a part was. */
export function partlyRefunded(
  view: View,
  payment: Captured,
  refunds: readonly Pick<Refund, 'amountMinor' | 'status'>[],
): string | undefined {
  const made = refunds.filter(({ status }) => status === 'PROCESSED')
  const partMinor = minorUnits(made.reduce((sum, refund) => sum + refund.amountMinor, 0))
  const { amountMinor } = capturedSums(payment)
  if (partMinor === 0 || partMinor >= amountMinor) return undefined
  return ofWhole(view, {
    text: view.texts.payments.partlyRefunded,
    part: partMinor,
    whole: amountMinor,
  })
}

interface PartOfWhole {
  readonly text: string
  readonly part: MinorUnits
  readonly whole: MinorUnits
}

function ofWhole({ language }: View, { text, part, whole }: PartOfWhole): string {
  return fill(text, { part: formatMoney(part, language), whole: formatMoney(whole, language) })
}
