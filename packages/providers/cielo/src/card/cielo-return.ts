import {
  type Clock,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type DoneAnswer,
  type MinorUnits,
  type NotSentAnswer,
  type UnknownAnswer,
  decided,
  minorUnits,
  paymentReference,
} from '@cofre/contracts'
import {
  type AcquirerAnswer,
  type CancelRequest,
  type EarlierAttempts,
  type RefundRequest,
  type ReturnDecision,
  type ReturnRefusalReason,
  isNotDone,
  unknown,
} from '@cofre/provider-kit/card'
import { absence, keepingAbsence } from './absence.js'
import { type CieloCaller, readSale, readSales } from './cielo-calls.js'
import {
  NOT_SETTLED_CODE,
  returnRefusalOf,
  returnRefusalOfError,
  unclearReturn,
} from './cielo-refusal.js'
import { type Sale, capturedOf, changeSchema, cieloStatus, returnedOf } from './cielo-wire.js'
import { makeOnce } from './single-change.js'

interface Context {
  readonly call: CieloCaller
  readonly clock: Clock
}

type Answered = Promise<AcquirerAnswer<ReturnDecision>>

/** Undoes the whole sale; a captured one from the next day on. */
export async function cancelSale(context: Context, request: CancelRequest): Answered {
  if (request.isUncaptured === true) return await releaseSale(context, request)
  const { earlier, paymentId, chargedMinor, chargedAtMs } = request
  const returnedBeforeMinor = minorUnits(0)
  const whole = { chargedAtMs, returnedBeforeMinor, chargedMinor, amountMinor: chargedMinor }
  const end =
    paymentId === undefined
      ? await cancelByOrder(context, request)
      : await returnAmount(context, { earlier, paymentId, ...whole })
  const decision = end.kind === 'done' ? end.value : undefined
  const isCaptured = decision?.state === 'refused' && decision.code === NOT_NOW_CODE
  return (isCaptured ? tooEarly(context.clock, chargedAtMs) : undefined) ?? end
}

/** Undoes an authorization, on any day. A void would also undo a captured sale: so read first. */
async function releaseSale(context: Context, request: CancelRequest): Answered {
  const { earlier, paymentId, chargedMinor, chargedAtMs } = request
  if (paymentId === undefined)
    return { kind: 'refused', detail: 'an authorization is undone by its PaymentId' }
  const look = () => readRelease(context.call, paymentId)
  if (earlier === undefined) {
    const known = await look()
    if (known.kind !== 'absent') return known
  }
  const whole = { paymentId, chargedAtMs, chargedMinor, amountMinor: chargedMinor }
  return await makeOnce<ReturnDecision>(context.clock, {
    earlier,
    look,
    send: () => voidSale(context, whole),
    isPlain: () => false,
  })
}

async function readRelease(
  call: CieloCaller,
  paymentId: string,
): Promise<
  DoneAnswer<ReturnDecision> | { readonly kind: 'absent' } | NotSentAnswer | UnknownAnswer
> {
  const sales = await readSale(call, paymentId)
  if (sales.kind !== 'done') return sales
  const [sale] = sales.value
  if (sale === undefined) return unknown('the payment cannot be found')
  if (cieloStatus(sale.payment.status) === 'authorized') return { kind: 'absent' }
  const captured = capturedOf(sale)
  if (captured === undefined) return unknown('not finished at Cielo')
  if (captured === 0) return RETURNED
  const detail = `Cielo has captured ${captured} centavos`
  return decided({ state: 'refused', reason: 'captured', code: undefined, detail })
}

/** The answer to the sale never arrived: all sales under its order are undone. */
async function cancelByOrder(
  context: Context,
  { key, earlier, chargedAtMs }: CancelRequest,
): Answered {
  const { call, clock } = context
  const sales = await readSales(call, paymentReference(key))
  if (sales.kind !== 'done') return keepingAbsence(sales, earlier)
  if (sales.value.length === 0) {
    const waiting = absence(clock, earlier?.absentSinceMs)
    return waiting ?? notFound('this order has no payment')
  }
  for (const sale of sales.value) {
    if (isOpen(sale)) return unknown('not finished at Cielo')
    if (!isCharged(sale)) continue
    const { paymentid: paymentId, amount: chargedMinor } = sale.payment
    const whole = { chargedAtMs, chargedMinor, amountMinor: chargedMinor }
    const end = await voidSale(context, { paymentId, ...whole })
    if (end.kind !== 'done' || end.value.state !== 'done') return end
  }
  return RETURNED
}

/** Cielo has no id of a return. */
const RETURNED = decided({ state: 'done', returnId: undefined } as const)

function notFound(detail: string): DoneAnswer<ReturnDecision> {
  return decided({ state: 'refused', reason: 'payment_not_found', code: undefined, detail })
}

function isCharged({ payment }: Sale): boolean {
  return ['authorized', 'confirmed'].includes(cieloStatus(payment.status))
}

function isOpen({ payment }: Sale): boolean {
  return ['not_finished', 'pending'].includes(cieloStatus(payment.status))
}

export async function refundSale(context: Context, request: RefundRequest): Answered {
  const early =
    request.earlier === undefined ? tooEarly(context.clock, request.chargedAtMs) : undefined
  return early ?? (await returnAmount(context, request))
}

/** "Not available to refund" */
const NOT_NOW_CODE = '312'
const SAO_PAULO_MS = 3 * HOUR_MS
/** Our clock may be ahead of Cielo's. */
const CLOCKS_DIFFER_MS = 10 * MINUTE_MS

function tooEarly(clock: Clock, chargedAtMs: number): DoneAnswer<ReturnDecision> | undefined {
  const retryAfterMs = dayAfter(chargedAtMs) - clock.now()
  if (retryAfterMs <= 0) return undefined
  const detail = 'Cielo returns what was captured from the day after'
  return decided({ state: 'too_early', detail, retryAfterMs })
}

/** The start of the next day in São Paulo, which has had no summer time since 2019. */
function dayAfter(timeMs: number): number {
  const day = Math.floor((timeMs - SAO_PAULO_MS) / DAY_MS)
  return (day + 1) * DAY_MS + SAO_PAULO_MS + CLOCKS_DIFFER_MS
}

/** Credit is settled after a month; this code has other meanings in Cielo's older lists. */
const SETTLED_AFTER_MS = 40 * DAY_MS

function notSettled(clock: Clock, chargedAtMs: number): DoneAnswer<ReturnDecision> {
  const code = NOT_SETTLED_CODE
  if (clock.now() - chargedAtMs > SETTLED_AFTER_MS)
    return decided({
      state: 'refused',
      reason: 'not_enabled',
      code,
      detail: `ReturnCode ${code}`,
    })
  const retryAfterMs = dayAfter(clock.now()) - clock.now()
  const detail = 'Cielo returns a part of a sale once it is settled'
  return decided({ state: 'too_early', detail, retryAfterMs })
}

interface AmountReturn {
  readonly earlier: EarlierAttempts | undefined
  readonly paymentId: string
  readonly chargedAtMs: number
  readonly returnedBeforeMinor: MinorUnits
  readonly chargedMinor: MinorUnits
  readonly amountMinor: MinorUnits
}

/** Cielo has no ids of returns: the returned total shows if an earlier attempt was carried out. */
async function returnAmount(context: Context, request: AmountReturn): Answered {
  const { earlier } = request
  const { call, clock } = context
  if (earlier === undefined) return voidSale(context, request)
  const known = await readReturn(call, request)
  if (known.kind === 'done') return known
  if (known.kind !== 'absent') return keepingAbsence(known, earlier)
  const waiting = absence(clock, earlier.absentSinceMs)
  if (waiting !== undefined) return waiting
  const end = await voidSale(context, request)
  if (isNotDone(end)) return keepingAbsence(end, earlier)
  if (end.kind !== 'done') return end
  if (end.value.state === 'too_early') return keepingAbsence(end.value, earlier)
  if (end.value.state !== 'refused') return end
  // The first request may have arrived meanwhile, and caused the refusal of the second.
  const after = await readReturn(call, request)
  if (after.kind === 'absent') return end
  return after.kind === 'done' ? after : unknown(after.detail)
}

/** Reads if the amount has been returned. */
async function readReturn(
  call: CieloCaller,
  { paymentId, returnedBeforeMinor, amountMinor }: AmountReturn,
): Promise<typeof RETURNED | { readonly kind: 'absent' } | NotSentAnswer | UnknownAnswer> {
  const sales = await readSale(call, paymentId)
  if (sales.kind !== 'done') return sales
  const [sale] = sales.value
  if (sale === undefined) return unknown('the payment cannot be found')
  const returned = returnedOf(sale) - returnedBeforeMinor
  if (returned === 0) return { kind: 'absent' }
  return returned === amountMinor
    ? RETURNED
    : unknown('the returned amount differs from the requested one')
}

const DONE_CODES: readonly string[] = ['0', '00', '9']

async function voidSale(
  { call, clock }: Context,
  {
    paymentId,
    chargedAtMs,
    chargedMinor,
    amountMinor,
  }: Omit<AmountReturn, 'earlier' | 'returnedBeforeMinor'>,
): Answered {
  const voided = await call({
    operation: 'sale.void',
    method: 'PUT',
    path: `/1/sales/${encodeURIComponent(paymentId)}/void?amount=${amountMinor}`,
    answer: changeSchema,
  })
  switch (voided.kind) {
    case 'done': {
      // The status covers the whole payment, including earlier returns by others.
      const { returncode: code = '' } = voided.value
      if (DONE_CODES.includes(code)) return RETURNED
      if (code === NOT_SETTLED_CODE && amountMinor < chargedMinor)
        return notSettled(clock, chargedAtMs)
      return refusedOrUnclear(returnRefusalOf(code), { code, detail: `ReturnCode ${code}` })
    }
    case 'absent':
      return notFound('Cielo does not know this payment')
    case 'refused':
      return refusedOrUnclear(returnRefusalOfError(voided), voided)
    case 'not-sent':
    case 'unknown':
      return voided
  }
}

interface RefusalFields {
  readonly code: string
  readonly detail: string
}

function refusedOrUnclear(
  reason: ReturnRefusalReason | undefined,
  { code, detail }: RefusalFields,
): DoneAnswer<ReturnDecision> | UnknownAnswer {
  return reason === undefined
    ? unclearReturn(code, detail)
    : decided({ state: 'refused', reason, code, detail })
}
