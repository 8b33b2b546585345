import {
  violationsOfAnswer,
  violationsOfNotice,
  violationsOfRequest,
} from '../../../../test/judges/adyen.js'
import { type SignedFields, signatureOf } from '../src/card/adyen-notice.js'
import {
  type Answer,
  type Call,
  type FaultyServer,
  startFaultyServer,
} from '../../../provider-kit/test/faulty-server.js'

type Json = Readonly<Record<string, unknown>>

export const ADYEN_ANSWERS = {
  merchantAccount: 'LojaECOM',
  returnUrl: 'https://loja.example/volta',
  softDescriptor: 'Loja Exemplo / Sao Joa',
  apiKey: 'AQEyhmfxK-s3cr3t-of-the-api',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
}
export const ADYEN_SECRETS = [ADYEN_ANSWERS.apiKey, ADYEN_ANSWERS.hmacKey]

interface Part {
  readonly pspReference: string
  readonly reference: string
  readonly value: number
}

interface Payment {
  readonly pspReference: string
  readonly reference: string
  readonly value: number
  readonly resultCode: string
  readonly captures: Part[]
  readonly refunds: Part[]
  reversals: number
  cancels: number
}

/** The part of Adyen that a connector uses. Every call, answer and notice is judged. */
export interface JudgingAdyen extends FaultyServer {
  readonly payments: Payment[]
  readonly cancelledReferences: string[]
  /** The judge's objections to requests and answers. */
  readonly objections: string[]
  /** Changes the answer to a payment. */
  result: Json
  /** Changes the answer to a payer's result. */
  details: Json
  /** Refuses every modification. */
  refusal: Json | undefined
}

// Its schemas are large: they are compiled before the first call is timed.
const PATHS = ['/payments', '/payments/details', '/payments/p/refunds', '/payments/p/reversals']
const LATER_PATHS = ['/payments/p/captures', '/payments/p/cancels']
for (const path of [...PATHS, ...LATER_PATHS, '/cancels']) {
  const judged = { method: 'POST', path, body: {} }
  violationsOfRequest(judged)
  for (const status of [200, 201, 401, 422])
    violationsOfAnswer(judged, { status, contentType: 'application/json', body: {} })
}

export async function startJudgingAdyen(): Promise<JudgingAdyen> {
  const answered = new Map<string, Answer>()
  const state: Omit<JudgingAdyen, keyof FaultyServer> = {
    payments: [],
    cancelledReferences: [],
    objections: [],
    result: {},
    details: {},
    refusal: undefined,
  }
  const server = await startFaultyServer((call) => {
    const judged = { method: call.method, path: call.path.replace('/v72', ''), body: call.body }
    state.objections.push(...violationsOfRequest(judged))
    if (call.headers['x-api-key'] !== ADYEN_ANSWERS.apiKey)
      return [401, error(401, '000', 'security')]
    const key = call.headers['idempotency-key'] ?? ''
    const known = key === '' ? undefined : answered.get(key)
    const answer = known ?? routed(state, judged)
    if (key.length > 64) state.objections.push('an idempotency key that is too long')
    if (key !== '') answered.set(key, answer)
    const [status] = answer
    const body: unknown = JSON.parse(JSON.stringify(answer[1]))
    const contentType = 'application/json'
    state.objections.push(...violationsOfAnswer(judged, { status, contentType, body }))
    return answer
  })
  return Object.assign(state, server)
}

export function error(status: number, errorCode: string, errorType: string): Json {
  return { status, errorCode, errorType, message: `error ${errorCode} of 4111 1111 1111 1111` }
}

function routed(
  adyen: Omit<JudgingAdyen, keyof FaultyServer>,
  { path, body }: Pick<Call, 'path' | 'body'>,
): Answer {
  const [, , pspReference = '', operation = path.slice(1)] = path.split('/')
  const sent = body as { reference: string; amount: { value: number }; paymentReference: string }
  const merchantAccount = ADYEN_ANSWERS.merchantAccount
  if (path === '/paymentMethods') return [200, { paymentMethods: [] }]
  if (path === '/payments') return [200, charged(adyen, sent)]
  if (path === '/payments/details') return completed(adyen, body)
  if (adyen.refusal !== undefined) return [Number(adyen.refusal.status), adyen.refusal]
  const { reference } = sent
  const received = { merchantAccount, pspReference: newName(), reference, status: 'received' }
  if (path === '/cancels') {
    adyen.cancelledReferences.push(sent.paymentReference)
    return [201, { ...received, paymentReference: sent.paymentReference }]
  }
  const payment = adyen.payments.find((one) => one.pspReference === pspReference)
  if (payment === undefined) return [422, error(422, '167', 'validation')]
  const answer = { ...received, paymentPspReference: pspReference }
  if (operation === 'reversals' || operation === 'cancels') {
    payment[operation]++
    return [201, answer]
  }
  const parts = operation === 'captures' ? payment.captures : payment.refunds
  parts.push({ ...received, value: sent.amount.value })
  return [201, { ...answer, amount: sent.amount }]
}

function charged(
  adyen: Pick<JudgingAdyen, 'payments' | 'result' | 'cancelledReferences'>,
  { reference, amount }: { readonly reference: string; readonly amount: { value: number } },
): Json {
  const pspReference = newName()
  const answer = {
    pspReference,
    merchantReference: reference,
    amount,
    resultCode: 'Authorised',
    additionalData: { authCode: '034788', networkTxReference: '858435661128555', eci: '07' },
    ...adyen.result,
  }
  const { resultCode } = answer
  adyen.payments.push({
    pspReference,
    reference,
    value: amount.value,
    resultCode,
    captures: [],
    refunds: [],
    reversals: 0,
    cancels: 0,
  })
  return answer
}

/** The only result that it accepts. */
export const REDIRECT_RESULT = 'eyJ0cmFuc1N0YXR1cyI6IlkifQ'

function completed({ details }: Pick<JudgingAdyen, 'details'>, body: unknown): Answer {
  const { redirectResult } = (body as { details: { redirectResult: string } }).details
  if (redirectResult !== REDIRECT_RESULT) return [422, error(422, '702', 'validation')]
  const answer = {
    pspReference: newName(),
    merchantReference: 'cofrep1042',
    amount: { currency: 'BRL', value: 12_990 },
    resultCode: 'Authorised',
    additionalData: { authCode: '034788', eci: '05' },
    ...details,
  }
  return [200, answer]
}

let named = 0
function newName(): string {
  return `PSP${String((named += 1)).padStart(13, '0')}`
}

export type NoticeChanges = Readonly<Record<string, unknown>>

/** A signed notice of one item, judged by the official document. */
export function signedNotice(changes: NoticeChanges, key = ADYEN_ANSWERS.hmacKey): Json {
  const item = {
    pspReference: 'PSP0000000000001',
    originalReference: '',
    merchantReference: 'cofrep1042',
    merchantAccountCode: ADYEN_ANSWERS.merchantAccount,
    amount: { currency: 'BRL', value: 12_990 },
    eventCode: 'AUTHORISATION',
    eventDate: '2026-11-22T12:00:00-03:00',
    success: 'true',
    ...changes,
  }
  const hmacSignature = signatureOf(item as SignedFields, key)
  const { originalReference, ...rest } = item
  const sent = {
    ...rest,
    ...(originalReference !== '' && { originalReference }),
    additionalData: { hmacSignature },
  }
  const notice = { live: 'false', notificationItems: [{ NotificationRequestItem: sent }] }
  const objections = violationsOfNotice(notice)
  if (objections.length > 0) throw new Error(objections.join('; '))
  return notice
}
