import {
  type Clock,
  type DoneAnswer,
  type NotSentAnswer,
  type UnknownAnswer,
  decided,
} from '@cofre/contracts'
import {
  type AcquirerAnswer,
  type CaptureDecision,
  type CaptureRefusalReason,
  type CaptureRequest,
  unknown,
} from '@cofre/provider-kit/card'
import { type CieloCaller, readSale } from './cielo-calls.js'
import {
  answerOfError,
  captureRefusalOf,
  captureRefusalOfError,
  withoutZeros,
} from './cielo-refusal.js'
import { capturedOf, changeSchema, cieloStatus } from './cielo-wire.js'
import { makeOnce } from './single-change.js'

interface Context {
  readonly call: CieloCaller
  readonly clock: Clock
}

/** Captures the sale once, all of it or a part; Cielo releases the rest. */
export async function captureSale(
  { call, clock }: Context,
  request: CaptureRequest,
): Promise<AcquirerAnswer<CaptureDecision>> {
  return await makeOnce<CaptureDecision>(clock, {
    earlier: request.earlier,
    look: () => readCapture(call, request),
    send: () => sendCapture(call, request),
    // A sale that cannot be captured may have been captured before, also by people at Cielo.
    isPlain: (refusal) => refusal.reason !== 'released',
  })
}

/** Cielo has no id of a capture. */
const CAPTURED = decided({ state: 'done', captureId: undefined } as const)

function refused(
  reason: CaptureRefusalReason,
  { code, detail }: { readonly code?: string; readonly detail: string },
): DoneAnswer<CaptureDecision> {
  return decided({ state: 'refused', reason, code, detail })
}

async function readCapture(
  call: CieloCaller,
  { paymentId, amountMinor }: CaptureRequest,
): Promise<
  DoneAnswer<CaptureDecision> | { readonly kind: 'absent' } | NotSentAnswer | UnknownAnswer
> {
  const sales = await readSale(call, paymentId)
  if (sales.kind !== 'done') return sales
  const [sale] = sales.value
  if (sale === undefined) return unknown('the payment cannot be found')
  if (cieloStatus(sale.payment.status) === 'authorized') return { kind: 'absent' }
  const captured = capturedOf(sale)
  if (captured === undefined) return unknown('not finished at Cielo')
  if (captured === amountMinor) return CAPTURED
  if (captured === 0) return refused('released', { detail: 'Cielo has released this payment' })
  return sale.payment.capturedamount === undefined
    ? unknown('captured, and the amount is not known yet')
    : refused('other', { detail: `Cielo has captured ${captured} centavos` })
}

/** With leading zeros, and without. */
const DONE_CODES: readonly string[] = ['0', '6']

async function sendCapture(
  call: CieloCaller,
  { earlier, paymentId, amountMinor }: CaptureRequest,
): Promise<AcquirerAnswer<CaptureDecision>> {
  const captured = await call({
    operation: 'sale.capture',
    method: 'PUT',
    path: `/1/sales/${encodeURIComponent(paymentId)}/capture?amount=${amountMinor}`,
    answer: changeSchema,
  })
  switch (captured.kind) {
    case 'done': {
      const { status, returncode: code = '' } = captured.value
      // The status alone may be due to another capture.
      const isDone = cieloStatus(status) === 'confirmed' && DONE_CODES.includes(withoutZeros(code))
      if (isDone) return CAPTURED
      const reason = captureRefusalOf(code)
      const detail = `ReturnCode ${code}`
      return reason === undefined ? unknown(detail) : refused(reason, { code, detail })
    }
    case 'absent':
      return refused('payment_not_found', { detail: 'Cielo does not know this payment' })
    case 'refused': {
      const answer = answerOfError(captured)
      if (answer.kind === 'not-sent') return answer
      const reason = captureRefusalOfError(captured)
      if (reason !== undefined) return refused(reason, captured)
      return earlier === undefined ? refused('other', captured) : unknown(captured.detail)
    }
    case 'not-sent':
    case 'unknown':
      return captured
  }
}
