// An Adyen for tests: its clock only moves on request, its randomness repeats, and every request,
// answer and notice is checked by Adyen's own documents.
import { expect } from 'vitest'
import {
  violationsOfAnswer,
  violationsOfNotice,
  violationsOfRequest,
} from '../../../../test/judges/adyen.js'
import {
  type Answer,
  VISA,
  exchange,
  openReceiverOf,
  testPartsOf,
} from '../../../provider-kit/test/card-acquirer.js'
import { type AdyenOptions, startAdyen } from '../src/simulator/start-adyen.js'

export const MERCHANT = 'LojaECOM'
export const AMOUNT = { currency: 'BRL', value: 12_990 }

export interface NoticeItem {
  readonly eventCode: string
  readonly pspReference: string
  readonly originalReference?: string
  readonly merchantReference: string
  readonly success: string
  readonly reason: string
  readonly amount: { readonly value: number }
  readonly additionalData: Readonly<Record<string, string>>
}

interface AnswerBody {
  readonly pspReference: string
  readonly resultCode: string
  readonly refusalReason: string
  readonly refusalReasonCode: string
  readonly errorCode: string
  readonly additionalData: Readonly<Record<string, string>>
}

interface CallOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** For requests that are wrong on purpose: their answers are judged nevertheless. */
  readonly isWrong?: true
  /** For answers that Adyen does not give, as a proxy's page. */
  readonly isStrange?: true
}

/** A payment request of a shop's system. */
export function paymentOf(reference: string, changes: object = {}, card: object = {}) {
  return {
    merchantAccount: MERCHANT,
    reference,
    amount: AMOUNT,
    returnUrl: 'https://shop.example/return',
    paymentMethod: {
      type: 'scheme',
      number: VISA,
      expiryMonth: '03',
      expiryYear: '2030',
      cvc: '737',
      holderName: 'ANA SOUZA',
      ...card,
    },
    captureDelayHours: 0,
    shopperInteraction: 'Ecommerce',
    ...changes,
  }
}

export async function openTestAdyen(options: Partial<AdyenOptions> = {}) {
  const parts = await testPartsOf('adyen')
  const running = await startAdyen({ ...parts, ...options })
  const receiver = await openReceiverOf(running)
  const account = { merchantAccount: MERCHANT, noticeUrl: receiver.url }
  const credentials = await running.openAccount(account)

  const post = async (path: string, body: unknown, options: CallOptions = {}) => {
    const request = { method: 'POST', path, body }
    if (options.isWrong !== true) expect(violationsOfRequest(request)).toEqual([])
    const headers = {
      'Content-Type': 'application/json',
      'X-API-Key': credentials.apiKey.reveal(),
      ...(options.key !== undefined && { 'Idempotency-Key': options.key }),
      ...options.headers,
    }
    const at = { port: running.apiPort, ca: running.authority, path: `/v72${path}` }
    const answer = await exchange({ ...at, method: 'POST', headers }, JSON.stringify(body))
    const contentType = String(answer.headers['content-type'] ?? '') || null
    const judged = { status: answer.status, contentType, body: answer.json }
    if (options.isStrange !== true) expect(violationsOfAnswer(request, judged)).toEqual([])
    return { ...answer, body: answer.json as AnswerBody } satisfies Answer & { body: AnswerBody }
  }
  return {
    ...running,
    clock: parts.clock,
    folder: parts.folder,
    credentials,
    receiver,
    post,
    /** A payment that is authorised, unless the name on its card chooses another outcome. */
    pay: async (reference: string, changes: object = {}, card: object = {}) =>
      (await post('/payments', paymentOf(reference, changes, card))).body,
    /** The notices so far, judged. */
    notices: async () => {
      await running.adyen.notices.settled()
      return receiver.received.map((body) => {
        expect(violationsOfNotice(body)).toEqual([])
        const { notificationItems } = body as {
          notificationItems: [{ NotificationRequestItem: NoticeItem }]
        }
        return notificationItems[0].NotificationRequestItem
      })
    },
    close: async () => {
      await running.stop()
      await receiver.close()
    },
  }
}

export type TestAdyen = Awaited<ReturnType<typeof openTestAdyen>>
