import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import type { Gateway, Merchant } from '@cofre/gateway'
import { beginDeadline } from '@cofre/work'
import type { ExamplesDesk } from '../desk/sandbox-desk.js'
import type { ExamplePayment, ExampleStep } from './example-month.js'

/** A gateway of examples, and its clock. */
export interface ExampleDesk {
  readonly gateway: Pick<Gateway, 'api'>
  readonly operator: ExamplesDesk
  readonly merchant: Merchant
  readonly time: { nowMs: number }
  /** Later steps are omitted. */
  readonly untilMs: number
}

const REFUND_DURATION_MS = 3 * MINUTE_MS

/** Makes an example payment through a gateway's use cases, each at its time; returns its code. */
export async function simulateExample(
  desk: ExampleDesk,
  { createdAtMs, body, steps }: ExamplePayment,
): Promise<number> {
  const { gateway, merchant, time } = desk
  time.nowMs = createdAtMs
  const order = { received: body, isRetry: false, deadline: beginDeadline() }
  const { code } = await gateway.api.createTransaction(merchant, order)
  for (const step of steps) await simulateStep(desk, String(code), { step, createdAtMs })
  return code
}

interface TimedStep extends Pick<ExamplePayment, 'createdAtMs'> {
  readonly step: ExampleStep
}

async function simulateStep(
  { operator, merchant, time, untilMs }: ExampleDesk,
  code: string,
  { step, createdAtMs }: TimedStep,
): Promise<void> {
  const { backOffice, paymentActs } = operator
  const found = await backOffice.findTransaction(merchant.id, code)
  if (found === undefined) return
  const { transaction } = found
  const atMs = step.kind === 'lapse' ? transaction.expiresAtMs : createdAtMs + step.afterMs
  if (atMs === undefined || atMs >= untilMs) return
  time.nowMs = atMs
  if (step.kind !== 'refund') {
    await backOffice.changeStatus(merchant.id, code, step.to)
    return
  }
  await paymentActs.refund(merchant.id, {
    code,
    formId: `example-${code}`,
    amountMinor: minorUnits(step.amountMinor),
    remainingMinor: transaction.amountMinor,
    actor: 'start',
    reason: 'customer-request',
    note: '',
  })
  time.nowMs = Math.min(atMs + REFUND_DURATION_MS, untilMs)
  const after = await backOffice.findTransaction(merchant.id, code)
  for (const { id } of after?.refunds ?? [])
    await backOffice.finishRefund(merchant.id, String(id), 'PROCESSED')
}
