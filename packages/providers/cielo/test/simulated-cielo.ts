// A Cielo for tests: its clock only moves on request, and its randomness repeats.
import { exchange, openReceiverOf, testPartsOf } from '../../../provider-kit/test/card-acquirer.js'
import { type CieloOptions, startCielo } from '../src/simulator/start-cielo.js'

/** Cielo's own example for its sandbox: it ends in 1, so it is approved. */
export const APPROVED = '4024007153763191'

export interface PaymentBody {
  readonly PaymentId: string
  readonly Status: number
  readonly ReturnCode: string
  readonly Amount: number
  readonly CapturedAmount?: number
  readonly CapturedDate?: string
  readonly VoidedAmount?: number
  readonly IssuerTransactionId?: string
  readonly TransactionLinkId?: string
  readonly TryAutomaticCancellation?: boolean
  readonly Chargebacks?: readonly { readonly Status: string }[]
  readonly FraudAlert?: object
}

interface AnswerBody {
  readonly Payment: PaymentBody
  readonly Status: number
  readonly ReturnCode: string
}

/** A sale request of a shop's system. */
export function saleOf(order: string, changes: object = {}, card: object = {}) {
  return {
    MerchantOrderId: order,
    Customer: { Name: 'Ana Souza', Identity: '12345678909', IdentityType: 'CPF' },
    Payment: {
      Type: 'CreditCard',
      Amount: 12_990,
      Installments: 3,
      Interest: 'ByMerchant',
      Capture: true,
      SoftDescriptor: 'LOJAEXEMPLO',
      CreditCard: {
        CardNumber: APPROVED,
        Holder: 'ANA SOUZA',
        ExpirationDate: '12/2030',
        SecurityCode: '123',
        Brand: 'Visa',
        SaveCard: false,
        ...card,
      },
      ...changes,
    },
  }
}

export async function openTestCielo(options: Partial<CieloOptions> = {}) {
  const parts = await testPartsOf('cielo')
  const running = await startCielo({ ...parts, ...options })
  const receiver = await openReceiverOf(running)
  const credentials = await running.openAccount({ label: 'loja', noticeUrl: receiver.url })

  interface Call {
    readonly method: string
    readonly path: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
    readonly port?: number
  }
  const call = async ({ method, path, body, headers, port = running.apiPort }: Call) => {
    const all = {
      MerchantId: credentials.merchantId,
      MerchantKey: credentials.merchantKey.reveal(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    }
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await exchange({ port, ca: running.authority, method, path, headers: all }, text)
    return { ...answer, body: answer.json as AnswerBody }
  }
  return {
    ...running,
    clock: parts.clock,
    folder: parts.folder,
    credentials,
    receiver,
    call,
    post: (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      call({ method: 'POST', path: '/1/sales', body, headers }),
    put: (path: string) => call({ method: 'PUT', path: `/1/sales/${path}` }),
    get: (path: string) =>
      call({ method: 'GET', path: `/1/sales${path}`, port: running.queryPort }),
    /** A sale that is approved, unless its card chooses another outcome. */
    sell: async (order: string, changes: object = {}, card: object = {}) =>
      (await call({ method: 'POST', path: '/1/sales', body: saleOf(order, changes, card) })).body
        .Payment,
    /** The notices so far. */
    notices: async () => {
      await running.cielo.notices.settled()
      return receiver.received
    },
    close: async () => {
      await running.stop()
      await receiver.close()
    },
  }
}

export type TestCielo = Awaited<ReturnType<typeof openTestCielo>>
