import {
  type Clock,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type MinorUnits,
  minorUnits,
} from '@cofre/contracts'
import {
  type CancelRequest,
  type EarlierAttempts,
  type NotDone,
  type RefundRequest,
  type ReturnResult,
  type UnknownOutcome,
  paymentReference,
} from '@cofre/vault'
import { unknown } from '../model/call-conclusion.js'
import { absence, keepingAbsence } from './absence.js'
import { type CieloCaller, readSale, readSales } from './cielo-calls.js'
import {
  NOT_SETTLED_CODE,
  returnRefusalOf,
  returnRefusalOfError,
  unclearReturn,
} from './cielo-refusal.js'
import { type Sale, changeSchema, cieloStatus, returnedOf } from './cielo-wire.js'

interface Context {
  readonly call: CieloCaller
  readonly clock: Clock
}

/** Undoes the whole; what was captured, from the day after. */
export async function cancelSale(context: Context, request: CancelRequest): Promise<ReturnResult> {
  const { earlier, paymentId, chargedMinor, chargedAtMs } = request
  const returnedBeforeMinor = minorUnits(0)
  const whole = { chargedAtMs, returnedBeforeMinor, chargedMinor, amountMinor: chargedMinor }
  const end =
    paymentId === undefined
      ? await cancelByOrder(context, request)
      : await giveBack(context, { earlier, paymentId, ...whole })
  const isCaptured = end.kind === 'refused' && end.code === NOT_NOW_CODE
  return (isCaptured ? tooEarly(context.clock, chargedAtMs) : undefined) ?? end
}

/** The answer to the sale never arrived: all that stands under its order is undone. */
async function cancelByOrder(
  context: Context,
  { key, earlier, chargedAtMs }: CancelRequest,
): Promise<ReturnResult> {
  const { call, clock } = context
  const look = await readSales(call, paymentReference(key))
  if (look.kind !== 'sales') return keepingAbsence(look, earlier)
  if (look.sales.length === 0) {
    const detail = 'nothing stands under this order'
    const waiting = absence(clock, earlier?.absentSinceMs)
    return waiting ?? { kind: 'refused', reason: 'payment_not_found', code: undefined, detail }
  }
  for (const sale of look.sales) {
    if (isOpen(sale)) return unknown('not finished at Cielo')
    if (!isCharged(sale)) continue
    const { paymentid: paymentId, amount: chargedMinor } = sale.payment
    const whole = { chargedAtMs, chargedMinor, amountMinor: chargedMinor }
    const end = await voidSale(context, { paymentId, ...whole })
    if (end.kind !== 'done') return end
  }
  return { kind: 'done', returnId: undefined }
}

function isCharged({ payment }: Sale): boolean {
  return ['authorized', 'confirmed'].includes(cieloStatus(payment.status))
}

function isOpen({ payment }: Sale): boolean {
  return ['not_finished', 'pending'].includes(cieloStatus(payment.status))
}

export async function refundSale(context: Context, request: RefundRequest): Promise<ReturnResult> {
  const early =
    request.earlier === undefined ? tooEarly(context.clock, request.chargedAtMs) : undefined
  return early ?? (await giveBack(context, request))
}

/** "Not available to refund" */
const NOT_NOW_CODE = '312'
const SAO_PAULO_MS = 3 * HOUR_MS
/** Ours may be ahead of Cielo's. */
const CLOCKS_DIFFER_MS = 10 * MINUTE_MS

function tooEarly(clock: Clock, chargedAtMs: number): NotDone | undefined {
  const retryAfterMs = dayAfter(chargedAtMs) - clock.now()
  if (retryAfterMs <= 0) return undefined
  const detail = 'Cielo returns what was captured from the day after'
  return { kind: 'not_done', reason: 'too_early', detail, retryAfterMs }
}

/** The next day's beginning by the clocks of São Paulo; no summer time since 2019. */
function dayAfter(timeMs: number): number {
  const day = Math.floor((timeMs - SAO_PAULO_MS) / DAY_MS)
  return (day + 1) * DAY_MS + SAO_PAULO_MS + CLOCKS_DIFFER_MS
}

/** Credit is settled after a month; the code has other meanings in Cielo's older lists. */
const SETTLED_AFTER_MS = 40 * DAY_MS

function notSettled(clock: Clock, chargedAtMs: number): ReturnResult {
  const code = NOT_SETTLED_CODE
  if (clock.now() - chargedAtMs > SETTLED_AFTER_MS)
    return { kind: 'refused', reason: 'not_enabled', code, detail: `ReturnCode ${code}` }
  const retryAfterMs = dayAfter(clock.now()) - clock.now()
  const detail = 'Cielo returns a part of a sale once it is settled'
  return { kind: 'not_done', reason: 'too_early', detail, retryAfterMs }
}

interface GivingBack {
  readonly earlier: EarlierAttempts | undefined
  readonly paymentId: string
  readonly chargedAtMs: number
  readonly returnedBeforeMinor: MinorUnits
  readonly chargedMinor: MinorUnits
  readonly amountMinor: MinorUnits
}

/**
 * Cielo has no name for what it returns: whether an earlier attempt was carried out shows in the
 * sum of what has gone back.
 */
async function giveBack(context: Context, request: GivingBack): Promise<ReturnResult> {
  const { earlier } = request
  const { call, clock } = context
  if (earlier === undefined) return voidSale(context, request)
  const known = await readReturn(call, request)
  if (known.kind === 'done') return known
  if (known.kind !== 'absent') return keepingAbsence(known, earlier)
  const waiting = absence(clock, earlier.absentSinceMs)
  if (waiting !== undefined) return waiting
  const end = await voidSale(context, request)
  if (end.kind === 'not_done') return keepingAbsence(end, earlier)
  if (end.kind !== 'refused') return end
  // The first one may have arrived meanwhile, and the second be refused for that.
  const after = await readReturn(call, request)
  if (after.kind === 'absent') return end
  return after.kind === 'done' ? after : unknown(after.detail)
}

type Returned = Extract<ReturnResult, { kind: 'done' }>

/** Whether it has been returned. */
async function readReturn(
  call: CieloCaller,
  { paymentId, returnedBeforeMinor, amountMinor }: GivingBack,
): Promise<Returned | { readonly kind: 'absent' } | NotDone | UnknownOutcome> {
  const look = await readSale(call, paymentId)
  if (look.kind !== 'sales') return look
  const [sale] = look.sales
  if (sale === undefined) return unknown('the payment cannot be found')
  const returned = returnedOf(sale) - returnedBeforeMinor
  if (returned === 0) return { kind: 'absent' }
  return returned === amountMinor
    ? { kind: 'done', returnId: undefined }
    : unknown('another amount has been returned than was asked for')
}

const DONE_CODES: readonly string[] = ['0', '00', '9']

async function voidSale(
  { call, clock }: Context,
  {
    paymentId,
    chargedAtMs,
    chargedMinor,
    amountMinor,
  }: Omit<GivingBack, 'earlier' | 'returnedBeforeMinor'>,
): Promise<ReturnResult> {
  const result = await call({
    operation: 'sale.void',
    method: 'PUT',
    path: `/1/sales/${encodeURIComponent(paymentId)}/void?amount=${amountMinor}`,
    answer: changeSchema,
  })
  switch (result.kind) {
    case 'done': {
      // The status is that of the whole, which others may have returned before.
      const { returncode: code = '' } = result.value
      if (DONE_CODES.includes(code)) return { kind: 'done', returnId: undefined }
      const reason = returnRefusalOf(code)
      if (code === NOT_SETTLED_CODE && amountMinor < chargedMinor)
        return notSettled(clock, chargedAtMs)
      const detail = `ReturnCode ${code}`
      return reason === undefined
        ? unclearReturn(code, detail)
        : { kind: 'refused', reason, code, detail }
    }
    case 'absent': {
      const detail = 'Cielo knows no such payment'
      return { kind: 'refused', reason: 'payment_not_found', code: undefined, detail }
    }
    case 'refused': {
      const { code, detail } = result.error
      const reason = returnRefusalOfError(result.error)
      return reason === undefined
        ? unclearReturn(code, detail)
        : { kind: 'refused', reason, code, detail }
    }
    case 'not_done':
    case 'unknown':
      return result
  }
}
