import { type MinorUnits, formatAmount, minorUnits, parseAmount } from '@cofre/contracts'
import type { PageView } from './view.js'

/** The typed text is not an amount of money. */
export class AmountError extends Error {}

/** @throws AmountError */
export function amountIn(fields: ReadonlyMap<string, string>): MinorUnits {
  const text = fields.get('amount')?.trim().replace(',', '.') ?? ''
  const amount = /^\d{1,10}(\.\d{1,2})?$/.test(text) ? parseAmount(text) : undefined
  if (amount === undefined || amount === 0) throw new AmountError()
  return minorUnits(amount)
}

interface AmountProps {
  readonly view: PageView
  readonly label: string
  readonly amountMinor: MinorUnits
}

export function AmountField({ view, label, amountMinor }: AmountProps) {
  const text = formatAmount(amountMinor)
  const value = view.language === 'pt-BR' ? text.replace('.', ',') : text
  return (
    <label>
      {label}
      <input name="amount" value={value} inputmode="decimal" autocomplete="off" required />
    </label>
  )
}
