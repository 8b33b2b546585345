import { readFileSync } from 'node:fs'
import {
  type Answer,
  type Call,
  type FaultyServer,
  startFaultyServer,
} from '../../../provider-kit/test/faulty-server.js'

export const CIELO_ANSWERS = {
  merchantId: '7d5a4c2e-0d5b-4f0a-9a43-1c7a9d6ce0a1',
  softDescriptor: 'LojaExemplo13',
  merchantKey: 'S3CR3TKEYOFTHEMERCHANT0000000000000000AB',
}

const file = new URL('../../../../test/judges/cielo-facts.json', import.meta.url)
/** Facts that others found in Cielo's manual. */
export const FACTS = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly hosts: Readonly<Record<'production' | 'sandbox', { write: string; read: string }>>
  readonly paymentStatus: Readonly<Record<string, string>>
  readonly sandboxLastDigit: Readonly<Record<string, { status: string; returnCode: string[] }>>
  readonly brandIdentifiers: Readonly<
    Record<'IssuerTransactionId' | 'TransactionLinkId', { brands: string[]; send: string }>
  >
  readonly apiErrorsToKnow: Readonly<Record<string, string>>
  readonly captureReturnCodes: { readonly codes: Readonly<Record<string, string>> }
}

type Json = Readonly<Record<string, unknown>>

export interface FakeSale {
  readonly paymentId: string
  readonly orderId: string
  readonly amount: number
  status: number
  returnCode: string
  captured: number
  voided: number
  readonly voids: number[]
  more: Json
}

/** The part of Cielo that a connector uses, by the sandbox's rules. */
export interface FakeCielo extends FaultyServer {
  readonly sales: FakeSale[]
  /** The manual's objections to requests. */
  readonly objections: string[]
  /** The status of the next sales, with any card. */
  status: number | undefined
  /** The ReturnCode of the next cancels; codes other than 0 and 9 book nothing. */
  voidCode: string | undefined
  /** The ReturnCode of the next captures; codes other than 6 book nothing. */
  captureCode: string
  /** Changes the case of field names, as Cielo's own services do. */
  rename: (name: string) => string
  /** No sale is found by order yet: the request is still on its way. */
  isBlind: boolean
}

export async function startFakeCielo(): Promise<FakeCielo> {
  const state: Omit<FakeCielo, keyof FaultyServer> = {
    sales: [],
    objections: [],
    status: undefined,
    voidCode: undefined,
    captureCode: '6',
    rename: (name) => name,
    isBlind: false,
  }
  const server = await startFaultyServer((call) => {
    if (call.headers.merchantkey !== CIELO_ANSWERS.merchantKey) return [401]
    const [status, body] = routed(state, call)
    return [status, renamed(body, state.rename)]
  })
  return Object.assign(state, server)
}

type State = Omit<FakeCielo, keyof FaultyServer>

function routed(cielo: State, { method, path, body }: Call): Answer {
  const url = new URL(path, 'https://cielo')
  const [, , , paymentId = '', operation = ''] = url.pathname.split('/')
  const sale = cielo.sales.find((one) => one.paymentId === paymentId)
  const amount = Number(url.searchParams.get('amount'))
  const orderId = url.searchParams.get('merchantOrderId')
  switch (`${method} ${operation}`) {
    case 'POST ':
      return url.pathname === '/1/zeroauth'
        ? checked(cielo, body as Json)
        : sold(cielo, body as Json)
    case 'GET ': {
      if (orderId === null) return sale === undefined ? [404] : [200, shown(sale)]
      const found = cielo.isBlind ? [] : cielo.sales.filter((one) => one.orderId === orderId)
      const ReceveidDate = '2026-11-22T12:00:00'
      const Payments = found.map((one) => ({ PaymentId: one.paymentId, ReceveidDate }))
      return found.length === 0 ? [404] : [200, { ReasonCode: 0, Payments }]
    }
    case 'PUT capture':
      if (sale?.status !== 1) return [400, [{ Code: 308, Message: 'not available to capture' }]]
      if (cielo.captureCode === '6') Object.assign(sale, { status: 2, captured: amount })
      return [200, { Status: sale.status, ReturnCode: cielo.captureCode, Links: [] }]
    case 'PUT void':
      return sale === undefined
        ? [404, [{ Code: 307, Message: 'Transaction not found' }]]
        : voided(cielo, sale, amount)
    default:
      return [405]
  }
}

/** The fields of the manual's Zero Auth, with its answers. */
const CHECK_FIELDS = new Map([
  ['CardType', /^CreditCard$/],
  ['CardNumber', /^\d{13,16}$/],
  ['Holder', /^[A-Z ]{1,25}$/],
  ['ExpirationDate', /^\d{2}\/\d{4}$/],
  ['SecurityCode', /^\d{3,4}$/],
  ['Brand', /^(?:Visa|Master|Elo)$/],
])

function checked(cielo: State, { CardOnFile, ...card }: Json): Answer {
  for (const [name, form] of CHECK_FIELDS)
    if (!form.test(String(card[name]))) cielo.objections.push(`Zero Auth: ${name}`)
  for (const name of Object.keys(card))
    if (!CHECK_FIELDS.has(name)) cielo.objections.push(`Zero Auth: ${name} is unknown`)
  if (JSON.stringify(CardOnFile) !== '{"Usage":"First","Reason":"Unscheduled"}')
    cielo.objections.push('Zero Auth: CardOnFile')
  const rule = FACTS.sandboxLastDigit[String(card.CardNumber).at(-1) ?? '']
  return rule?.status === 'authorized'
    ? [
        200,
        {
          Valid: true,
          ReturnCode: '00',
          ReturnMessage: 'Transacao autorizada',
          IssuerTransactionId: '580027442382078',
        },
      ]
    : [200, { Valid: false, ReturnCode: '57', ReturnMessage: 'Autorizacao negada' }]
}

function sold(cielo: State, body: Json): Answer {
  const payment = body.Payment as Json
  const card = payment.CreditCard as Record<string, string>
  cielo.objections.push(...objectionsTo(body, payment, card))
  const rule = FACTS.sandboxLastDigit[card.CardNumber?.at(-1) ?? '']
  const isAuthorized = rule?.status === 'authorized'
  const sale: FakeSale = {
    paymentId: `0d5b4f0a-0000-4000-8000-${String(cielo.sales.length).padStart(12, '0')}`,
    orderId: String(body.MerchantOrderId),
    amount: Number(payment.Amount),
    status: cielo.status ?? (isAuthorized ? (payment.Capture === true ? 2 : 1) : 3),
    returnCode: isAuthorized ? '6' : (rule?.returnCode[0] ?? ''),
    captured: 0,
    voided: 0,
    voids: [],
    more: {},
  }
  cielo.sales.push(sale)
  return [201, shown(sale)]
}

function isLinkId(value: unknown = 'none'): boolean {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)
}

/** Objections by the manual's tables. */
function objectionsTo(body: Json, payment: Json, card: Readonly<Record<string, string>>): string[] {
  const brands = 'Visa Master Amex Elo Aura JCB Diners Discover Hipercard'.split(' ')
  const rules: readonly (readonly [string, boolean])[] = [
    ['MerchantOrderId', /^[a-zA-Z0-9]{1,50}$/.test(String(body.MerchantOrderId))],
    ['Type', payment.Type === 'CreditCard'],
    ['Amount', /^\d{1,15}$/.test(String(payment.Amount))],
    ['Installments', Number(payment.Installments) >= 1 && Number(payment.Installments) <= 12],
    ['Interest', payment.Interest === 'ByMerchant'],
    ['SoftDescriptor', /^[A-Za-z0-9]{1,13}$/.test(String(payment.SoftDescriptor))],
    ['CardNumber', /^\d{13,19}$/.test(card.CardNumber ?? '')],
    ['Holder', /^[A-Za-z ]{1,25}$/.test(card.Holder ?? '')],
    ['ExpirationDate', /^(?:0[1-9]|1[0-2])\/\d{4}$/.test(card.ExpirationDate ?? '')],
    ['SecurityCode', /^\d{3,4}$/.test(card.SecurityCode ?? '000')],
    ['Brand', brands.includes(card.Brand ?? '')],
    ['TransactionLinkId', isLinkId(payment.TransactionLinkId)],
  ]
  return rules.flatMap(([name, isRight]) => (isRight ? [] : [name]))
}

function voided(cielo: State, sale: FakeSale, amount: number): Answer {
  const isCharged = sale.status === 1 || sale.status === 2
  const left = (sale.captured || sale.amount) - sale.voided
  const isMore = amount > left
  const code = cielo.voidCode ?? (!isCharged || isMore ? '51' : '0')
  if (code === '0' || code === '9') {
    sale.voids.push(amount)
    sale.voided += amount
    if (amount === left) sale.status = sale.status === 1 ? 10 : 11
  }
  return [200, { Status: sale.status, ReturnCode: code, ReturnMessage: 'x', Links: [] }]
}

function shown(sale: FakeSale): Json {
  return {
    MerchantOrderId: sale.orderId,
    Customer: { Name: 'Ana Souza' },
    Payment: {
      PaymentId: sale.paymentId,
      Status: sale.status,
      Amount: sale.amount,
      ...(sale.captured > 0 && { CapturedAmount: sale.captured }),
      ...(sale.voided > 0 && { VoidedAmount: sale.voided }),
      ReturnCode: sale.returnCode,
      ReturnMessage: 'Operation Successful',
      Tid: '0928084922246',
      ProofOfSale: '652515',
      AuthorizationCode: '927181',
      IssuerTransactionId: '580027442382078',
      ECI: '7',
      Links: [],
      ...sale.more,
    },
  }
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(fields.map(([name, field]) => [rename(name), renamed(field, rename)]))
}
