import { FormField, describedBy } from '../checkout/form-field.js'
import { formatCentavos } from '../centavos.js'
import type { OrderProps } from '../order/order-details.js'
import { RefundList } from '../order/order-history.js'
import { hasRunningRefund, orderKey, refundableCentavos } from '../order/order.js'
import type { RefundForm } from './refund-form.js'
import type { RefundProblem } from './refund-problem.js'

export interface RefundSectionProps extends OrderProps {
  readonly form: RefundForm
  readonly problem: RefundProblem | undefined
}

/** The refunds of an order, and the form that asks for another. */
export function RefundSection(props: RefundSectionProps) {
  const { order, language, messages } = props
  const { backOffice } = messages
  const left = refundableCentavos(order)
  return (
    <section class="card refund" aria-labelledby="refund">
      <h2 id="refund">{backOffice.refunds}</h2>
      <Problem {...props} />
      {order.refunds.length > 0 && (
        <RefundList
          refunds={order.refunds}
          language={language}
          messages={messages}
          showsReference
        />
      )}
      <Refundable {...props} left={left} />
    </section>
  )
}

function Refundable(props: RefundSectionProps & { readonly left: number }) {
  const { order, left, messages } = props
  const { backOffice } = messages
  if (hasRunningRefund(order)) return <p class="about">{backOffice.refundRunning}</p>
  if (left > 0) return <RefundFields {...props} />
  const isSpent = order.refunds.length > 0
  return <p class="about">{isSpent ? backOffice.nothingLeft : backOffice.notRefundable}</p>
}

function Problem({ problem, messages }: RefundSectionProps) {
  const { backOffice } = messages
  if (problem === undefined) return null
  return (
    <div
      class="problem"
      role="alert"
      tabindex={-1}
      autofocus
      data-testid="refund-problem"
      data-error-code={problem}
    >
      <h3>{backOffice.problemTitle}</h3>
      <p>{backOffice.problems[problem]}</p>
    </div>
  )
}

function RefundFields(props: RefundSectionProps & { readonly left: number }) {
  const { order, form, left, language, messages } = props
  const { backOffice } = messages
  return (
    <form
      method="post"
      action={`/back-office/orders/${orderKey(order)}/refunds`}
      class="refund-form"
    >
      <input type="hidden" name="attempt" value={form.attempt} />
      <div class="choices" role="radiogroup" aria-label={backOffice.extent}>
        <label class="choice">
          <input
            type="radio"
            name="extent"
            value="full"
            checked={!form.isPartial}
            autocomplete="off"
          />
          <span>{backOffice.everything(formatCentavos(left, language))}</span>
        </label>
        <label class="choice">
          <input
            type="radio"
            name="extent"
            value="partial"
            checked={form.isPartial}
            autocomplete="off"
          />
          <span>{backOffice.partly}</span>
        </label>
      </div>
      <div class="fields">
        <AmountField {...props} />
        <FormField
          id="refund-reference"
          label={backOffice.reference}
          hint={backOffice.referenceHint}
        >
          <input
            id="refund-reference"
            name="reference"
            type="text"
            value={form.reference}
            maxlength={64}
            autocomplete="off"
            aria-describedby={describedBy('refund-reference', backOffice.referenceHint)}
          />
        </FormField>
      </div>
      <button class="button" type="submit">
        {backOffice.refund}
      </button>
    </form>
  )
}

function AmountField({ form, problem, messages }: RefundSectionProps) {
  const { backOffice } = messages
  const isWrong = problem === 'amount_invalid' || problem === 'amount_too_high'
  return (
    <FormField
      id="refund-amount"
      label={backOffice.amount}
      hint={backOffice.amountHint}
      error={isWrong ? backOffice.problems[problem] : undefined}
    >
      <input
        id="refund-amount"
        name="amount"
        type="text"
        inputmode="decimal"
        value={form.amount}
        maxlength={12}
        autocomplete="off"
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={describedBy('refund-amount', backOffice.amountHint)}
      />
    </FormField>
  )
}
