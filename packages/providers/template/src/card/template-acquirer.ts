// The port of vaults. Template has one charge under a reference, and one refund: in doubt, the same
// request is repeated.
import {
  type Secret,
  decided,
  minorUnits,
  paymentReference,
  refundReference,
} from '@cofre/contracts'
import {
  type Acquirer,
  type AcquirerAnswer,
  type AuthorizeRequest,
  type CancelRequest,
  type ChargeDecision,
  type EarlierAttempts,
  type FindRequest,
  type FoundPayment,
  type RefundRequest,
  type ReturnDecision,
  certain,
  codeTableOf,
  concluded,
  declineOf,
  meaningOf,
  secretsOf,
  unknown,
} from '@cofre/provider-kit/card'
import { type AnswerBody, type CallAnswer, redacted } from '@cofre/provider-kit/outbound'
import type { z } from 'zod'
import {
  type TemplateCharge,
  chargeBody,
  chargeSchema,
  errorSchema,
  templatePayment,
} from './template-wire.js'

export interface TemplateCall {
  readonly operation: string
  /** The path below the account's base, encoded. */
  readonly path: string
  /** Absent for a look-up. */
  readonly body?: object
  readonly secrets?: readonly Secret<string>[]
}

export type Send = (call: TemplateCall) => Promise<CallAnswer>

export function createTemplateAcquirer(send: Send, close: () => Promise<void>): Acquirer {
  return {
    async authorize(request) {
      const body = chargeBody(request)
      const call = { operation: 'charge', path: '/charges', body, secrets: secretsOf(request) }
      const charge = await callTemplate(send, call, request.earlier)
      if (charge.kind !== 'done') return charge
      return isAbout(charge.value, request)
        ? decided(decisionOf(charge.value, request.brand))
        : unknown('the answer is about another charge')
    },
    cancel: (request) => refundAtTemplate(send, returnOf(request), request),
    refund: (request) => refundAtTemplate(send, returnOf(request), request),
    find: (request) => find(send, request),
    close,
  }
}

function isAbout(
  { reference, amountMinor }: TemplateCharge,
  asked: Pick<AuthorizeRequest, 'key' | 'amountMinor'>,
): boolean {
  return reference === paymentReference(asked.key) && amountMinor === asked.amountMinor
}

function decisionOf(charge: TemplateCharge, brand: string): ChargeDecision {
  const payment = templatePayment(charge)
  if (charge.status === 'approved') return { outcome: 'approved', payment, surplus: [] }
  return { outcome: 'declined', decline: templateDecline(charge, brand), payment }
}

/** Template uses the brands' codes. */
function templateDecline({ code }: TemplateCharge, brand: string) {
  const meaning = meaningOf(codeTableOf(brand, 'amex'), code ?? '', undefined)
  return declineOf({ reason: 'generic', mayRetry: undefined, ...meaning, code })
}

async function find(send: Send, request: FindRequest): Promise<AcquirerAnswer<FoundPayment>> {
  const path = `/charges/${paymentReference(request.key)}`
  const reply = concluded(await send({ operation: 'charge.find', path }), undefined)
  if (reply.kind === 'not-sent' || reply.kind === 'unknown') return reply
  if (reply.kind === 'refused') {
    // A gateway's error page for an unknown path does not show that the charge is absent.
    const isAbsent = reply.status === 404 && parsed(errorSchema, reply.body) !== undefined
    return isAbsent ? { kind: 'absent' } : unknown(`status ${reply.status} of a look`)
  }
  const charge = parsed(chargeSchema, reply.value.body)
  if (charge === undefined) return NOT_UNDERSTOOD
  return isAbout(charge, request)
    ? decided(foundPayment(charge, request.brand))
    : unknown('another charge stands under this reference')
}

function foundPayment(charge: TemplateCharge, brand: string): FoundPayment {
  const { amountMinor, refunds, status } = charge
  const returned = refunds.reduce((sum, refund) => sum + refund.amountMinor, 0)
  const isReturned = status === 'approved' && returned === amountMinor
  return {
    state: isReturned ? 'returned' : status,
    payment: templatePayment(charge),
    decline: status === 'declined' ? templateDecline(charge, brand) : undefined,
    returnedMinor: minorUnits(returned),
    surplus: [],
    disputes: [],
  }
}

/** A refund, or a cancel as a refund of the whole charge. */
function returnOf(request: RefundRequest | CancelRequest) {
  const isRefund = 'refundId' in request
  return {
    reference: isRefund ? refundReference(request.key, request.refundId) : 'cancel',
    amountMinor: isRefund ? request.amountMinor : request.chargedMinor,
  }
}

async function refundAtTemplate(
  send: Send,
  body: ReturnType<typeof returnOf>,
  { key, earlier }: Pick<RefundRequest, 'key' | 'earlier'>,
): Promise<AcquirerAnswer<ReturnDecision>> {
  const path = `/charges/${paymentReference(key)}/refunds`
  const charge = await callTemplate(send, { operation: 'refund', path, body }, earlier)
  if (charge.kind === 'done') {
    const isReturned = charge.value.refunds.some(({ reference }) => reference === body.reference)
    return isReturned ? decided({ state: 'done', returnId: body.reference }) : NOT_UNDERSTOOD
  }
  if (charge.kind !== 'refused') return charge
  return decided({ state: 'refused', reason: 'other', code: undefined, detail: charge.detail })
}

/** With these, Template did nothing; with others, such as 409, it may have. */
const CERTAIN_STATUSES: readonly number[] = [400, 422]
const NOT_UNDERSTOOD = unknown('the answer is not understood')

/** A call whose answer is a charge; its result is certain only for a first attempt. */
async function callTemplate(
  send: Send,
  call: TemplateCall,
  earlier: EarlierAttempts | undefined,
): Promise<AcquirerAnswer<TemplateCharge>> {
  const reply = concluded(await send(call), earlier)
  if (reply.kind === 'not-sent' || reply.kind === 'unknown') return reply
  if (reply.kind === 'done') {
    const charge = parsed(chargeSchema, reply.value.body)
    return charge === undefined ? NOT_UNDERSTOOD : { kind: 'done', value: charge }
  }
  const found = parsed(errorSchema, reply.body)
  if (found === undefined) return unknown(`status ${reply.status} without a reason`)
  const detail = redacted(found.error, call.secrets ?? [])
  return CERTAIN_STATUSES.includes(reply.status)
    ? certain({ kind: 'refused', detail }, earlier)
    : unknown(`status ${reply.status}: ${detail}`)
}

function parsed<T>(schema: z.ZodType<T>, body: AnswerBody): T | undefined {
  return body.kind === 'json' ? schema.safeParse(body.value).data : undefined
}
