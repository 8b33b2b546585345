import { TEST_ENGINES } from '@cofre/sql/testing'
import { runOnce } from '@cofre/work'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createEvents } from '../../../events/src/index.js'
import {
  RAILS,
  TEST_SECRET_KEY,
  cardRequest,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import {
  OPERATIONS,
  type OperationExample,
  openApiDocument,
} from '../../../gateway/src/api/openapi/openapi-document.js'
import { signedByLibrary } from '../../../gateway/src/api/request/message-signature.fixture.js'
import { withoutRandomness } from '../../../gateway/src/api/openapi/contract.fixture.js'
import {
  DECLINED_TOKEN,
  STORE,
  type TestSandbox,
  openTestSandbox,
  rawCard,
} from '../sandbox.fixture.js'
import { FIXED_SAVED_CARD } from '../test-data/test-data.js'
import { SANDBOX_OPERATIONS } from './sandbox-operations.js'

/** A request of the test, and its name in the document. */
interface Request {
  readonly name: string
  readonly summary: string
  readonly target: string
  readonly body?: object
  /** Headers of another signature, for a method that the usual one does not cover. */
  readonly deletion?: Readonly<Record<string, string>>
}

const WEBHOOKS = ['transactionStatusChanged', 'refundEnded', 'eventHappened']

type Examples = Record<string, Record<string, Partial<OperationExample>>>

/** A real one is random. */
const EXAMPLE_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3F2gVXvBd1s='
const DECLINED_CARD = '4000000000005100'
const CHALLENGED_CARD = '4000000000000085'
const NOTIFIED = { 'notify-url': 'https://shop.example/notifications' }

describe('the examples of the API document', () => {
  let test: TestSandbox
  const examples: Examples = {}
  beforeAll(async () => {
    const [sqlite] = TEST_ENGINES
    test = await openTestSandbox(sqlite!, { randomBelow: withoutRandomness() })
    await test.sandbox.inboxes.open(STORE, 'Yw3vT8QwLr5yXn2bJc7dHf9g')
    await test.sandbox.modes.setMode(STORE, 'refund', { kind: 'by-hand' })
    const send = async (id: string, { name, summary, target, body, deletion }: Request) => {
      const method = deletion === undefined ? (body === undefined ? 'GET' : 'POST') : 'DELETE'
      const signed = deletion === undefined ? {} : { authorization: undefined, ...deletion }
      const headers = { 'accept-language': 'en-US', ...signed }
      const { status, json } = await test.send(method, target, { body, headers })
      const request = `\`${method} ${target}\``
      const example = { summary, request, ...(body !== undefined && { body }), status }
      const answer = 'secret' in json ? { ...json, secret: EXAMPLE_SECRET } : json
      examples[id] = { ...examples[id], [name]: { ...example, answer } }
      return json
    }
    const code = await createTransactions(send)
    await findAndRefund(send, code)
    await readAndCancel(send, code)
    await seeCards(send)
    await seeEvents(send)
    await makeLinks(send)
    await lookUp(send)
    await changeInterest(send)
    await control(send)
    await payWithSecurityCode(send)
    await captureLater(send)
    Object.assign(examples, await notifications(test, code), await eventOf(test, code))
  })
  afterAll(() => test.close())

  /** `vitest -u` records them again. */
  it.each([
    ['the API', '../../../gateway/src/api/openapi/openapi-examples.json', OPERATIONS],
    ['the sandbox', './sandbox-examples.json', SANDBOX_OPERATIONS],
  ])('are what %s answers', async (_, file, operations) => {
    const ofStores = operations.filter(({ isStream }) => isStream !== true).map(({ id }) => id)
    const ids = operations === OPERATIONS ? [...ofStores, ...WEBHOOKS] : ofStores
    const recorded = Object.fromEntries(ids.map((id) => [id, examples[id]]))
    await expect(`${JSON.stringify(recorded, undefined, 2)}\n`).toMatchFileSnapshot(file)
  })

  it('stand at the request, and at the answer of its status', () => {
    const options = { mediaVendor: 'cofre', publicUrl: 'https://api.example.com' }
    const { pix, used } = examples.createTransaction!
    const type = 'application/vnd.cofre.v2+json; charset=UTF-8'
    const shown = (value: unknown) => ({ examples: { pix: { value } } })
    expect(openApiDocument(options)).toMatchObject({
      paths: {
        '/transactions': {
          post: {
            requestBody: { content: { 'application/json': shown(pix?.body) } },
            responses: {
              201: { content: { [type]: shown(pix?.answer) } },
              409: { content: { [type]: { examples: { used: { value: used?.answer } } } } },
            },
          },
        },
      },
    })
  })
})

/** The form of a token, with nothing in it. */
const CODE_TOKEN = `eyJhbGciOiJFQ0RILUVTIn0..${'A'.repeat(16)}.${'A'.repeat(32)}.${'A'.repeat(22)}`

type Send = (id: string, request: Request) => Promise<Record<string, unknown>>

async function payWithSecurityCode(send: Send): Promise<void> {
  const { code } = FIXED_SAVED_CARD
  const info = { token: undefined, code, 'security-code-token': CODE_TOKEN }
  await send('createTransaction', {
    name: 'savedCardWithCode',
    summary: 'A saved card with its security code',
    target: '/transactions',
    body: cardRequest('order-1051', info),
  })
}

/** @returns the code of a PIX charge */
async function createTransactions(send: Send): Promise<string> {
  const create = (name: string, summary: string, body: object) =>
    send('createTransaction', { name, summary, target: '/transactions', body })
  const ofPix = railRequest('order-1042', 'pix')
  const { transaction } = await create('pix', 'A PIX charge', {
    ...ofPix,
    transaction: { ...ofPix.transaction, metadata: { channel: 'app', seller: '8134' } },
  })
  await create('boleto', 'A boleto', railRequest('order-1043', 'boleto'))
  await create('wallet', 'A wallet', railRequest('order-1044', 'pagseguro'))
  const ofToken = { token: 'the.token.of.the.browser', save: true }
  await create('card', 'A card, which is saved', cardRequest('order-1045', ofToken))
  const { code } = FIXED_SAVED_CARD
  const saved = cardRequest('order-1046', { token: undefined, code, installments: 3 })
  await create('savedCard', 'A saved card, in installments', saved)
  const { payer: cardholder, ...raw } = cardRequest('order-1047', rawCard(DECLINED_CARD))
  await create('declined', 'A raw card that is declined', {
    ...raw,
    charge: raw.charge.map((charge) => ({ ...charge, currency: 'BRL' })),
    payer: { ...cardholder, ip: '203.0.113.7' },
  })
  await create('authentication', 'A card whose bank asks its holder', {
    ...raw,
    transaction: { ...raw.transaction, reference: 'order-1049' },
    charge: raw.charge.map((charge) => ({
      ...charge,
      currency: 'BRL',
      'payment-info': { ...charge['payment-info'], ...rawCard(CHALLENGED_CARD) },
    })),
    payer: { ...cardholder, ip: '203.0.113.7' },
  })
  const { payer, ...order } = railRequest('order-1048', 'pix', { payerName: 'Maria' })
  const charge = [{ ...order.charge[0], 'payment-method': { ...RAILS.pix, 'sub-type': 'boleto' } }]
  await create('wrong', 'Wrong in two fields', { ...order, charge, payer })
  await create('used', 'A reference that is used', railRequest('order-1042', 'pix'))
  return (transaction as { code: string }).code
}

async function findAndRefund(send: Send, code: string): Promise<void> {
  await send('setTransactionStatus', {
    name: 'paid',
    summary: 'A PIX charge is paid',
    target: `/sandbox/transactions/${code}/status`,
    body: { status: 'COMPLETE' },
  })
  await send('searchTransactions', {
    name: 'byReference',
    summary: 'By the store’s own reference',
    target: '/transactions?reference=order-1042',
  })
  await send('searchTransactions', {
    name: 'none',
    summary: 'Nothing that is searched for',
    target: '/transactions?page=2',
  })
  const partial = { 'transaction-id': code, amount: 40, reference: 'refund-7', ...NOTIFIED }
  const refund = (name: string, summary: string, body: object) =>
    send('createRefund', { name, summary, target: '/refunds', body })
  const metadata = { case: '7702' }
  const { 'refund-id': id } = await refund('partial', 'A part', { ...partial, metadata })
  await refund('inProcess', 'Another one is in process', { ...partial, reference: 'refund-8' })
  await send('setRefundStatus', {
    name: 'processed',
    summary: 'A refund is paid back',
    target: `/sandbox/refunds/${String(id)}/status`,
    body: { status: 'PROCESSED' },
  })
  const find = (name: string, summary: string, of: string) =>
    send('findTransaction', { name, summary, target: `/transactions/${of}` })
  await find('refunded', 'Paid by PIX, with a refund of a part', code)
  await find('unknown', 'There is none', '1')
}

async function readAndCancel(send: Send, code: string): Promise<void> {
  const newest = { name: 'newest', summary: 'The newest two', target: '/payments?limit=2' }
  await send('listPayments', newest)
  await send('listPayments', {
    name: 'byReference',
    summary: 'By the store’s own reference',
    target: '/payments?reference=order-1042',
  })
  await send('listPayments', {
    name: 'wrong',
    summary: 'Wrong in two parameters',
    target: '/payments?limit=0&method=card',
  })
  const search = (name: string, summary: string, body: object) =>
    send('searchPayments', { name, summary, target: '/payments/searches', body })
  await search('unknown', 'A payer without purchases', { 'payer-email': 'ana@example.com' })
  const kiosk = { metadata: { channel: 'kiosk' } }
  await search('metadata', 'Metadata that no payment has', kiosk)
  await search('wrong', 'Without a payer or metadata', { limit: 10 })
  const find = (name: string, summary: string, of: string) =>
    send('findPayment', { name, summary, target: `/payments/${of}` })
  await find('pix', 'Paid by PIX, with a refund of a part', code)
  await find('unknown', 'There is none', '1')
  const open = await send('createTransaction', {
    name: 'pix',
    summary: 'A PIX charge',
    target: '/transactions',
    body: railRequest('order-1050', 'pix'),
  })
  const { code: waiting } = open.transaction as { code: string }
  const cancel = (name: string, summary: string, of: string) =>
    send('cancelPayment', { name, summary, target: `/payments/${of}/cancellation`, body: {} })
  await cancel('cancelled', 'An open PIX charge', waiting)
  await cancel('refused', 'A payment that was paid', code)
  await send('listRefunds', {
    name: 'ofPayment',
    summary: 'Of one transaction',
    target: `/refunds?transaction-code=${code}`,
  })
}

async function captureLater(send: Send): Promise<void> {
  const { transaction } = await send('createTransaction', {
    name: 'authorized',
    summary: 'A card that is captured later',
    target: '/transactions',
    body: cardRequest('order-1052', { token: 'the.token.of.the.browser', capture: false }),
  })
  const { code } = transaction as { code: string }
  const capture = (name: string, summary: string, amount: number) =>
    send('capturePayment', {
      name,
      summary,
      target: `/payments/${code}/capture`,
      body: { amount },
    })
  await capture('part', 'A part: the rest is released', 40)
  await capture('again', 'Another amount of a captured payment', 60)
}

async function seeCards(send: Send): Promise<void> {
  const { name, email, document } = cardRequest('order').payer
  const payer = { name, email, document, ip: '203.0.113.7' }
  const save = (one: string, summary: string, token: string) =>
    send('saveCard', { name: one, summary, target: '/saved-cards', body: { token, payer } })
  await save('approved', 'A good card: in the sandbox, the fixed one', 'the.token.of.the.browser')
  await save('declined', 'A card that is declined', DECLINED_TOKEN)
  await send('searchSavedCards', {
    name: 'ofPayer',
    summary: 'The fixed card of the sandbox',
    target: '/saved-cards/searches',
    body: { 'payer-email': 'maria@example.com' },
  })
  const target = `/saved-cards/${FIXED_SAVED_CARD.code}`
  await send('findSavedCard', { name: 'fixed', summary: 'The fixed card of the sandbox', target })
  const unknown = { name: 'unknown', summary: 'There is none', target: '/saved-cards/1' }
  await send('findSavedCard', unknown)
  const deleted = 'A deletion in the sandbox, where the fixed card stays'
  const deletion = await signedByLibrary('DELETE', target)
  await send('deleteSavedCard', { name: 'fixed', summary: deleted, target, deletion })
  await send('removeSavedCard', {
    name: 'fixed',
    summary: deleted,
    target: `${target}/deletion`,
    body: {},
  })
}

async function seeEvents(send: Send): Promise<void> {
  const target = '/event-endpoints'
  const create = (name: string, summary: string, body: object) =>
    send('createEventEndpoint', { name, summary, target, body })
  const url = 'https://shop.example/events'
  const types = ['payment.completed', 'refund.processed']
  const { 'event-endpoint': made } = await create('two', 'For two types', { url, types })
  const { code } = made as { code: string }
  await create('wrong', 'Wrong in two fields', { url: 'shop.example', types: ['paid'] })
  await send('listEventEndpoints', { name: 'all', summary: 'One endpoint', target })
  const one = `${target}/${code}`
  await send('findEventEndpoint', { name: 'found', summary: 'One endpoint', target: one })
  await send('changeEventEndpoint', {
    name: 'types',
    summary: 'Another type',
    target: `${one}/changes`,
    body: { types: ['link.paid'] },
  })
  await send('rotateEventEndpointSecret', {
    name: 'rotated',
    summary: 'A new secret',
    target: `${one}/secret-rotations`,
    body: {},
  })
  const list = {
    name: 'cards',
    summary: 'Deleted cards',
    target: '/events?type=saved-card.deleted',
  }
  await send('listEvents', { ...list, target: `${list.target}&limit=1` })
  const { events } = await send('listEvents', {
    name: 'newest',
    summary: 'The newest of paid payments',
    target: '/events?type=payment.completed&limit=1',
  })
  const [event] = events as { code: string }[]
  const ofEvent = `/events/${event?.code}`
  await send('sendEvent', {
    name: 'endpoint',
    summary: 'To an endpoint that was added later',
    target: `${ofEvent}/deliveries`,
    body: { endpoint: code },
  })
  await send('findEvent', { name: 'waiting', summary: 'Waiting at one endpoint', target: ofEvent })
  await send('findEvent', { name: 'unknown', summary: 'There is none', target: '/events/evt_1_1' })
  const deletion = await signedByLibrary('DELETE', one)
  await send('deleteEventEndpoint', { name: 'gone', summary: 'It is gone', target: one, deletion })
  const last = await create('all', 'For all types', { url })
  const { code: other } = last['event-endpoint'] as { code: string }
  await send('removeEventEndpoint', {
    name: 'gone',
    summary: 'It is gone',
    target: `${target}/${other}/deletion`,
    body: {},
  })
}

async function makeLinks(send: Send): Promise<void> {
  const link = {
    reference: 'order-2001',
    amount: 100,
    description: 'Café',
    methods: ['credit-card', 'pix'],
    'notification-url': 'https://shop.example/notifications',
  }
  const create = (name: string, summary: string, body: object) =>
    send('createPaymentLink', { name, summary, target: '/payment-links', body })
  const { 'payment-link': made } = await create('once', 'A link that is paid once', {
    ...link,
    metadata: { campaign: 'november' },
  })
  const { code } = made as { code: string }
  await create('wrong', 'Wrong in two fields', { ...link, amount: 0.5, usage: 'twice' })
  await create('used', 'A reference that is used', { ...link, amount: 200 })
  const list = { name: 'payable', summary: 'Those that may be paid' }
  await send('listPaymentLinks', { ...list, target: '/payment-links?status=PAYABLE' })
  const find = (name: string, summary: string, of: string) =>
    send('findPaymentLink', { name, summary, target: `/payment-links/${of}` })
  await find('unpaid', 'Nobody has tried it', code)
  await find('unknown', 'There is none', '1')
  await send('revokePaymentLink', {
    name: 'revoked',
    summary: 'A link is revoked',
    target: `/payment-links/${code}/revocations`,
    body: {},
  })
  const { methods, ...byCard } = { ...link, reference: 'order-2002', capture: false }
  await create('reserving', 'A link that reserves the amount, to be captured later', byCard)
  await create('not-a-card', 'A method that cannot be captured later', { ...byCard, methods })
}

async function lookUp(send: Send): Promise<void> {
  const of = 'country=BR&amount=100&currency=BRL'
  await send('lookUpCard', {
    name: 'visa',
    summary: 'A Visa card',
    target: `/card?bin=411111&${of}`,
  })
  const bin = { name: 'visa', summary: 'A Visa card', target: '/card/bin/411111' }
  await send('lookUpBin', bin)
  await send('lookUpInstallments', {
    name: 'visa',
    summary: 'What is offered for 100.00',
    target: `/card/installments?brand=visa&${of}`,
  })
}

async function changeInterest(send: Send): Promise<void> {
  const change = (name: string, summary: string, body: object) =>
    send('changeInterest', { name, summary, target: '/interest/changes', body })
  const own = { 'monthly-rate-percent': 2.49, 'interest-free': 3 }
  await change('all', 'Of all brands, at once', own)
  await change('brand', 'Of one brand, as usual again', { brand: 'amex', usual: true })
  await change('wrong', 'Wrong in two fields', { 'monthly-rate-percent': 101, 'interest-free': 0 })
  await send('findInterest', { name: 'own', summary: 'Of the store', target: '/interest' })
}

async function control(send: Send): Promise<void> {
  const preview = { name: 'day', summary: 'A day', target: '/sandbox/clock/preview?seconds=86400' }
  await send('previewClock', preview)
  const body = { seconds: 3600 }
  await send('advanceClock', {
    name: 'hour',
    summary: 'An hour',
    target: '/sandbox/clock/advance',
    body,
  })
  await send('readClock', { name: 'ahead', summary: 'An hour later', target: '/sandbox/clock' })
  const receiver = { name: 'own', summary: 'The store’s own', target: '/sandbox/receiver' }
  await send('findReceiver', receiver)
}

/** The store's notifications of the transaction and its refund. */
async function notifications(test: TestSandbox, code: string): Promise<Examples> {
  const ofTransaction = (body: string) => body.includes(`transaction-code=${code}`)
  const ofRefund = (body: string) => body.startsWith('{')
  const worker = test.gateway.startWorker()
  const isSent = () => test.sent.some(ofTransaction) && test.sent.some(ofRefund)
  await vi.waitUntil(isSent, { timeout: 60_000 })
  await worker.stop()
  const changed = Object.fromEntries(new URLSearchParams(test.sent.find(ofTransaction)))
  const ended = JSON.parse(test.sent.find(ofRefund) ?? '') as unknown
  const request = '`POST /notifications`'
  return {
    transactionStatusChanged: {
      sandbox: { summary: 'Sent by the sandbox', request, body: changed },
    },
    refundEnded: { processed: { summary: 'A refund is paid back', request, body: ended } },
  }
}

/** An event of the transaction, as an endpoint receives it. */
async function eventOf(test: TestSandbox, code: string): Promise<Examples> {
  const url = 'https://shop.example/events'
  await test.send('POST', '/event-endpoints', { body: { url } })
  const { json } = await test.send('GET', `/events?transaction-code=${code}&type=payment.completed`)
  const [event] = json.events as { code: string }[]
  await test.send('POST', `/events/${event?.code}/deliveries`, { body: {} })
  const sent: string[] = []
  const { eventWork } = createEvents({
    ...test.parts,
    secretKeys: [TEST_SECRET_KEY],
    notifyIntervalMs: 600_000,
    sender: {
      send({ body }) {
        sent.push(body)
        return Promise.resolve({ statusCode: 204 })
      },
    },
  })
  await runOnce(eventWork)
  const body = JSON.parse(sent[0] ?? '') as unknown
  const request = '`POST /events`'
  return { eventHappened: { paid: { summary: 'A PIX charge is paid', request, body } } }
}
