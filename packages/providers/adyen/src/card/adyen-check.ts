import { checkReference, decided } from '@cofre/contracts'
import {
  type AcquirerAnswer,
  type CheckDecision,
  type CheckRequest,
  concluded,
  declineOf,
  idempotencyKey,
  secretsOf,
  unknown,
} from '@cofre/provider-kit/card'
import type { AdyenAccount } from './adyen-account.js'
import { type Post, valueOf } from './adyen-calls.js'
import { UNAUTHENTICATED, adyenDecline, adyenError } from './adyen-refusal.js'
import { type PaymentAnswer, adyenPayment, checkBody, paymentAnswerSchema } from './adyen-wire.js'

interface CheckDeps {
  readonly account: AdyenAccount
  readonly post: Post
}

/** Asks for a payment of zero. */
export async function checkCard(
  { account, post }: CheckDeps,
  request: CheckRequest,
): Promise<AcquirerAnswer<CheckDecision>> {
  const reference = checkReference(request.key)
  const secrets = secretsOf(request)
  const reply = concluded(
    await post({
      operation: 'payments.check',
      path: '/payments',
      body: checkBody(request, account),
      key: idempotencyKey(account.merchantAccount, 'check', reference),
      secrets,
    }),
    undefined,
  )
  if (reply.kind === 'not-sent' || reply.kind === 'unknown') return reply
  if (reply.kind === 'refused') {
    const error = adyenError(reply.body, secrets)
    if (error === undefined) return unknown(`status ${reply.status} without a reason`)
    const { answer, decline } = error
    return decline === undefined ? answer : decided({ outcome: 'declined', decline })
  }
  const answer = paymentAnswerSchema.safeParse(valueOf(reply.value.body)).data
  if (answer === undefined) return unknown('the answer is not understood')
  const { merchantReference = reference } = answer
  return merchantReference === reference
    ? resultOf(request, answer)
    : unknown('the answer is about another payment')
}

function resultOf({ brand }: CheckRequest, answer: PaymentAnswer): AcquirerAnswer<CheckDecision> {
  const payment = adyenPayment(answer)
  switch (answer.resultCode) {
    case 'Authorised':
      return payment === undefined
        ? unknown('authorised without a pspReference')
        : decided({ outcome: 'approved', ids: payment })
    case 'Refused':
    case 'Cancelled':
    case 'Error':
      return decided({ outcome: 'declined', decline: adyenDecline(answer, brand) })
    case 'RedirectShopper':
    case 'IdentifyShopper':
    case 'ChallengeShopper':
      return decided({ outcome: 'declined', decline: declineOf(UNAUTHENTICATED) })
    default:
      return unknown('a result that decides nothing yet')
  }
}
