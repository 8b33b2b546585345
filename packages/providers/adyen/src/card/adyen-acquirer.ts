import {
  DAY_MS,
  type Clock,
  SECOND_MS,
  captureReference,
  decided,
  paymentReference,
  refundReference,
} from '@cofre/contracts'
import type { OutboundClient } from '@cofre/provider-kit/outbound'
import {
  type Acquirer,
  type AcquirerAnswer,
  type AuthorizeRequest,
  type CancelRequest,
  type CaptureDecision,
  type CaptureRefusalReason,
  type CaptureRequest,
  type ChargeDecision,
  type CompletedCharge,
  type CompletionRequest,
  type EarlierAttempts,
  type RefundRequest,
  type ReturnDecision,
  certain,
  concluded,
  unknown,
  secretsOf,
  declineOf,
  idempotencyKey,
} from '@cofre/provider-kit/card'
import type { AdyenAccount } from './adyen-account.js'
import { type AdyenCall, type Post, poster, valueOf } from './adyen-calls.js'
import { checkCard } from './adyen-check.js'
import { UNAUTHENTICATED, adyenDecline, adyenError } from './adyen-refusal.js'
import {
  type PaymentAnswer,
  adyenAmount,
  adyenPayment,
  modificationAnswerSchema,
  paymentAnswerSchema,
  paymentBody,
} from './adyen-wire.js'

/** Adyen stores an idempotency key for at least seven days; after that it would charge again. */
const KEY_LIFETIME_MS = 6 * DAY_MS
/** After that, an attempt makes no further call: two of 12 s would not fit into 15 s. */
const SECOND_CALL_WITHIN_MS = 3 * SECOND_MS

/** Adyen can't be queried: in doubt, the same key is sent again, or a notice decides. */
export function createAdyenAcquirer(
  account: AdyenAccount,
  client: OutboundClient,
  clock: Clock,
): Acquirer {
  const context: Context = { account, post: poster(account, client), clock }
  return {
    authorize: (request) => authorize(context, request),
    completeAuthentication: (request) => completeAuthentication(context, request),
    check: (request) => checkCard(context, request),
    capture: (request) => capture(context, request),
    cancel: (request) => cancel(context, request),
    refund: (request) => refund(context, request),
    close: () => client.close(),
  }
}

interface Context {
  readonly account: AdyenAccount
  readonly post: Post
  readonly clock: Clock
}

async function authorize(
  context: Context,
  request: AuthorizeRequest,
): Promise<AcquirerAnswer<ChargeDecision>> {
  const { account } = context
  if (isForgotten(context, request.earlier)) return FORGOTTEN
  const began = performance.now()
  const reference = paymentReference(request.key)
  const secrets = secretsOf(request)
  const reply = concluded(
    await context.post({
      operation: 'payments',
      path: '/payments',
      body: paymentBody(request, account),
      key: idempotencyKey(account.merchantAccount, 'authorize', reference),
      secrets,
    }),
    request.earlier,
  )
  if (reply.kind === 'not-sent' || reply.kind === 'unknown') return reply
  if (reply.kind === 'refused') {
    const error = adyenError(reply.body, secrets)
    if (error === undefined) return unknown(`status ${reply.status} without a reason`)
    if (error.decline === undefined) return certain(error.answer, request.earlier)
    return decided({ outcome: 'declined', decline: error.decline, payment: undefined })
  }
  const parsed = paymentAnswerSchema.safeParse(valueOf(reply.value.body))
  if (!parsed.success) return unknown('the answer is not understood')
  const { data: answer } = parsed
  if (answer.resultCode === 'PartiallyAuthorised')
    return await returnPart(context, request, { answer, began })
  const redirect = redirectOf(context, request, answer)
  return redirect === undefined ? resultOf(request, answer) : decided(redirect)
}

/** The payer's return address, if there is one; undefined if Adyen does not redirect. */
function redirectOf(
  { account }: Context,
  { authenticationReturnUrl }: AuthorizeRequest,
  { resultCode, action }: PaymentAnswer,
): ChargeDecision | undefined {
  if (resultCode !== 'RedirectShopper' || action === undefined) return undefined
  if (authenticationReturnUrl === undefined) return undefined
  const { method, url, data: fields } = action
  const isSimulated = account.isLive === undefined
  if (!isSimulated && new URL(url).protocol !== 'https:') return undefined
  return { outcome: 'authenticate', action: { method, url, fields } }
}

/** Adyen judges the result that its redirect gave the payer. */
async function completeAuthentication(
  context: Context,
  request: CompletionRequest,
): Promise<AcquirerAnswer<CompletedCharge>> {
  const { merchantAccount } = context.account
  const began = performance.now()
  const reference = paymentReference(request.key)
  const { result, earlier } = request
  const reply = concluded(
    await context.post({
      operation: 'details',
      path: '/payments/details',
      body: { details: { redirectResult: result.reveal() } },
      key: idempotencyKey(merchantAccount, `details ${result.reveal()}`, reference),
      secrets: [result],
    }),
    earlier,
  )
  if (reply.kind === 'not-sent' || reply.kind === 'unknown') return reply
  if (reply.kind === 'refused') {
    const error = adyenError(reply.body, [result])
    return error === undefined
      ? unknown(`status ${reply.status} without a reason`)
      : certain(error.answer, earlier)
  }
  const answer = paymentAnswerSchema.safeParse(valueOf(reply.value.body)).data
  // The result may belong to another payment, which Adyen then ended: only the reference identifies
  // it.
  if (answer?.merchantReference === undefined)
    return unknown('the answer does not say which payment it is about')
  if (answer.merchantReference !== reference) return OF_ANOTHER
  return answer.resultCode === 'PartiallyAuthorised'
    ? await returnPart(context, request, { answer, began })
    : resultOf(request, answer)
}

/** This payment is unchanged, whatever happened to the other one. */
const OF_ANOTHER = {
  kind: 'refused',
  detail: "the payer brought back another payment's result",
} as const

/** The requested payment, whichever of the two calls completes it. */
type Wanted = Pick<AuthorizeRequest, 'key' | 'brand' | 'amountMinor'>

function resultOf(request: Wanted, answer: PaymentAnswer): AcquirerAnswer<CompletedCharge> {
  const payment = adyenPayment(answer)
  switch (answer.resultCode) {
    case 'Authorised':
      if (payment === undefined) return unknown('authorised without a pspReference')
      return isAbout(request, answer)
        ? decided({ outcome: 'approved', payment, surplus: [] })
        : unknown('the answer is about another payment')
    case 'Refused':
    case 'Cancelled':
    case 'Error':
      return decided({ outcome: 'declined', decline: adyenDecline(answer, request.brand), payment })
    // These need a component of Adyen's in the browser, or a payer who is not present.
    case 'RedirectShopper':
    case 'IdentifyShopper':
    case 'ChallengeShopper':
      return decided({ outcome: 'declined', decline: declineOf(UNAUTHENTICATED), payment })
    default:
      return payment === undefined
        ? unknown('a result that is not known, without a pspReference')
        : decided({ outcome: 'pending', payment })
  }
}

/** True unless a field contradicts the request. An answer may omit fields. */
function isAbout({ key, amountMinor }: Wanted, answer: PaymentAnswer): boolean {
  const wanted = adyenAmount(amountMinor)
  const reference = paymentReference(key)
  const { amount = wanted, merchantReference = reference } = answer
  const isAmount = amount.value === wanted.value && amount.currency === wanted.currency
  return isAmount && merchantReference === reference
}

/** Adyen authorized only a part: it is reversed, and the card counts as declined. */
async function returnPart(
  { account, post }: Context,
  request: Wanted,
  { answer, began }: { readonly answer: PaymentAnswer; readonly began: number },
): Promise<AcquirerAnswer<CompletedCharge>> {
  const payment = adyenPayment(answer)
  if (payment === undefined || performance.now() - began > SECOND_CALL_WITHIN_MS)
    return unknown('a part was authorised, and its reversal is pending')
  const reference = paymentReference(request.key)
  const { merchantAccount } = account
  const reversal = await post({
    operation: 'reversals',
    path: `/payments/${payment.paymentId}/reversals`,
    body: { merchantAccount, reference },
    key: idempotencyKey(merchantAccount, 'return-part', reference),
  })
  if (reversal.kind !== 'done') return unknown('a part was authorised and not reversed')
  const facts = { reason: 'insufficient_funds', mayRetry: true, code: undefined } as const
  return decided({ outcome: 'declined', decline: declineOf(facts), payment })
}

/** The rest of a payment that is captured in part is released. */
async function capture(
  context: Context,
  request: CaptureRequest,
): Promise<AcquirerAnswer<CaptureDecision>> {
  const { merchantAccount } = context.account
  const reference = captureReference(request.key)
  const amount = adyenAmount(request.amountMinor)
  const answer = await modify(context, request.earlier, {
    operation: 'captures',
    path: `/payments/${encodeURIComponent(request.paymentId)}/captures`,
    body: { merchantAccount, amount, reference },
    // After a refusal another order may follow: the old key would repeat the old answer.
    key: idempotencyKey(
      merchantAccount,
      `capture ${amount.value} ${request.orderedAtMs}`,
      reference,
    ),
  })
  if (answer.kind !== 'done') return answer
  const { value } = answer
  if (value.state === 'in_process')
    return decided({ state: 'in_process', captureId: value.pspReference })
  return decided({ ...value, reason: CAPTURE_REFUSALS.get(value.code ?? '') ?? value.reason })
}

/** Adyen's codes if it refuses at once; most refusals come by notice. */
const CAPTURE_REFUSALS: ReadonlyMap<string, CaptureRefusalReason> = new Map([
  ['10', 'not_enabled'],
  ['010', 'not_enabled'],
  ['137', 'amount_exceeds_payment'],
])

/**
 * By its pspReference, captured or not unless it must be uncaptured; by our reference if the
 * pspReference never arrived.
 */
async function cancel(
  context: Context,
  request: CancelRequest,
): Promise<AcquirerAnswer<ReturnDecision>> {
  const { merchantAccount } = context.account
  const reference = paymentReference(request.key)
  const { paymentId, isUncaptured, orderedAtMs } = request
  const operation = isUncaptured === true ? 'cancels' : 'reversals'
  return returned(context, request.earlier, {
    ...(paymentId === undefined
      ? {
          operation: 'cancels',
          path: '/cancels',
          body: { merchantAccount, paymentReference: reference, reference },
        }
      : {
          operation,
          path: `/payments/${encodeURIComponent(paymentId)}/${operation}`,
          body: { merchantAccount, reference },
        }),
    key: idempotencyKey(
      merchantAccount,
      `${isUncaptured === true ? `void ${String(orderedAtMs)}` : 'cancel'} ${paymentId ?? ''}`,
      reference,
    ),
  })
}

async function refund(
  context: Context,
  request: RefundRequest,
): Promise<AcquirerAnswer<ReturnDecision>> {
  const { merchantAccount } = context.account
  const reference = refundReference(request.key, request.refundId)
  const amount = adyenAmount(request.amountMinor)
  return returned(context, request.earlier, {
    operation: 'refunds',
    path: `/payments/${encodeURIComponent(request.paymentId)}/refunds`,
    body: { merchantAccount, amount, reference },
    key: idempotencyKey(merchantAccount, 'refund', reference),
  })
}

async function returned(
  context: Context,
  earlier: EarlierAttempts | undefined,
  call: AdyenCall,
): Promise<AcquirerAnswer<ReturnDecision>> {
  const answer = await modify(context, earlier, call)
  if (answer.kind !== 'done') return answer
  const { value } = answer
  return value.state === 'in_process'
    ? decided({ state: 'in_process', returnId: value.pspReference })
    : decided(value)
}

type Modified =
  | { readonly state: 'in_process'; readonly pspReference: string }
  | {
      readonly state: 'refused'
      readonly reason: 'payment_not_found' | 'other'
      readonly code: string | undefined
      readonly detail: string
    }

/** Accepted at once; a notice reports the outcome. */
async function modify(
  context: Context,
  earlier: EarlierAttempts | undefined,
  call: AdyenCall,
): Promise<AcquirerAnswer<Modified>> {
  if (isForgotten(context, earlier)) return FORGOTTEN
  const reply = concluded(await context.post(call), earlier)
  if (reply.kind === 'not-sent' || reply.kind === 'unknown') return reply
  if (reply.kind === 'done') {
    const parsed = modificationAnswerSchema.safeParse(valueOf(reply.value.body))
    if (!parsed.success) return unknown('the answer is not understood')
    return decided({ state: 'in_process', pspReference: parsed.data.pspReference })
  }
  const error = adyenError(reply.body, [])
  if (error === undefined) return unknown(`status ${reply.status} without a reason`)
  const { answer, code } = error
  const { detail } = answer
  // The payment's id is part of the request, so each attempt gets this answer.
  if (code === PAYMENT_MISSING)
    return decided({ state: 'refused', reason: 'payment_not_found', code, detail })
  if (earlier !== undefined || answer.kind === 'not-sent') return certain(answer, earlier)
  return decided({ state: 'refused', reason: 'other', code, detail })
}

const PAYMENT_MISSING = '167'
const FORGOTTEN = unknown('Adyen may have forgotten the idempotency key: nothing was sent')

function isForgotten({ clock }: Context, earlier: EarlierAttempts | undefined): boolean {
  return earlier !== undefined && clock.now() - earlier.firstAtMs > KEY_LIFETIME_MS
}
