import type { Child } from 'hono/jsx'
import { useTexts } from '@cofre/panel/page'
import { PAYMENT_ACTS_TEXTS } from './texts.js'

interface AmountFieldProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  /** True if the shown problem is about the amount. */
  readonly isWrong: boolean
}

export function AmountField({ label, hint, value, isWrong }: AmountFieldProps) {
  return (
    <>
      <label>
        {label}
        <input
          name="amount"
          value={value}
          required
          inputmode="decimal"
          autocomplete="off"
          maxlength={20}
          aria-describedby={isWrong ? 'amount-hint problem' : 'amount-hint'}
          aria-invalid={isWrong ? 'true' : undefined}
        />
      </label>
      <p class="hint" id="amount-hint">
        {hint}
      </p>
    </>
  )
}

/** The problem of a form, which its field names as its description. */
export function FormProblem({ children }: { readonly children?: Child }) {
  const { problem } = useTexts(PAYMENT_ACTS_TEXTS).refundForm
  return (
    <div class="flash bad" role="alert" id="problem" tabindex={-1} autofocus>
      <strong>{problem}</strong> {children}
    </div>
  )
}
