import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { type EventType, createMerchantClient, verifyEvent } from '@cofre/merchant'
import { expect } from '@playwright/test'
import { COFRE, type CofreProcess, STORE } from './cofre-process.js'
import { startEventReceiver } from './event-receiver.js'
import { cardFields, sendPayment } from './link-shopper.js'
import { bankOrder } from './orders.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { test } from './story.js'

const run = promisify(execFile)

/** The test store sends Elo to Cielo. */
const ELO_CARD = { number: '5066991111111050', cvv: '737' }
const NOWHERE = 'http://127.0.0.1:9/notifications'
const METADATA = { channel: 'app', invoice: 'NF-1042' }

type Client = ReturnType<typeof merchantAt>

test('a shop lives through its first year by the API alone', async ({ story }) => {
  const { cofre } = story
  const { ports } = cofre
  const shop = merchantAt(ports.api)
  const receiver = await startEventReceiver()
  const made = await shop.createEventEndpoint({ url: receiver.url })
  const secret = made.secret ?? ''
  /** The types of the events that name a payment or a card, each verified. */
  const typesOf = (name: string): EventType[] =>
    receiver.received
      .filter(({ body }) => body.includes(`"${name}"`))
      .map(({ headers, body }) => verifyEvent({ headers, body, secret })!.type)
      .toSorted()
  const hears = (name: string, ...types: EventType[]) =>
    expect.poll(() => typesOf(name)).toEqual(types)

  const email = `year-${Date.now()}@example.com`
  const card = await saveCard(cofre, shop, email)
  const code = await sell(shop, card, email)
  await hears(code, 'payment.completed')

  await refuseFewerScopes(cofre, { code, card })
  expect(await shop.deleteSavedCard(card)).toMatchObject({ code: card })
  await expect(shop.findSavedCard(card)).rejects.toThrow('90604')
  await hears(card, 'saved-card.deleted')

  for (const rail of ['pix', 'boleto'] as const) {
    const named = { reference: `year-${rail}-${Date.now()}`, notificationUrl: NOWHERE }
    const { transaction } = await shop.createTransaction(bankOrder(rail, 5, named))
    expect(transaction.status).toBe('PENDING')
    const cancel = () => shop.cancelPayment(transaction.code)
    // A bank may not have issued a boleto yet.
    await expect.poll(async () => (await cancel()).cancellation).toBe('cancelled')
    expect(await cancel()).toMatchObject({ payment: { status: 'CANCELLED' } })
    await hears(transaction.code, 'payment.cancelled')
  }

  const terms = { amount: 42.5, description: 'Café', methods: ['credit-card'] } as const
  const link = await shop.createPaymentLink({ ...terms, 'notification-url': NOWHERE })
  const fields = await cardFields(ports)
  const paid = { port: ports.api, code: link.code, fields, number: 78 }
  expect(await sendPayment(paid)).toMatchObject({ status: 303 })
  await hears(link.code, 'link.paid')
  const { status, tries } = await shop.findPaymentLink(link.code)
  expect(status).toBe('PAID')
  const ofLink = tries[0]?.['transaction-code'] ?? ''
  const refund = { 'transaction-id': ofLink, 'notify-url': NOWHERE, metadata: METADATA }
  const refundId = await shop.createRefund(refund)
  await hears(ofLink, 'link.paid', 'payment.completed', 'refund.processed')
  expect((await shop.listRefunds({ 'transaction-code': ofLink })).refunds).toMatchObject([
    { 'refund-id': refundId, status: 'PROCESSED', metadata: METADATA },
  ])

  const kept = await shop.listEvents({ 'transaction-code': ofLink })
  expect(kept.events.map(({ type }) => type).toSorted()).toEqual(typesOf(ofLink))
  await shop.deleteEventEndpoint(made['event-endpoint'].code)
  receiver.close()
})

/** Saves a card without a charge, once the operator allows it. */
async function saveCard(cofre: CofreProcess, shop: Client, email: string): Promise<string> {
  const token = await depositCard(cofre.ports, ELO_CARD)
  const { name, document } = cardPurchase('payer', { token, installments: 1 }).payer
  const payer = { name, document, email, ip: '203.0.113.78' }
  await command(cofre, 'store', 'set', STORE.id, '--card-checks', 'off')
  await expect(shop.saveCard({ token, payer })).rejects.toThrow('90606')
  await command(cofre, 'store', 'set', STORE.id, '--card-checks', 'on')
  const { 'saved-card': saved } = await shop.saveCard({ token, payer })
  expect(saved).toMatchObject({ brand: 'elo', 'last-four': '1050', chargeable: true })
  const found = await shop.searchSavedCards({ 'payer-email': email })
  expect(found).toEqual({ 'saved-cards': [saved], 'next-cursor': null })
  return saved?.code ?? ''
}

/** Charges the card, and reads the figures that a fiscal document asks for. */
async function sell(shop: Client, card: string, email: string) {
  const reference = `year-${Date.now()}`
  const sale = cardPurchase(reference, { code: card, installments: 1 })
  const transaction = { ...sale.transaction, metadata: METADATA }
  const payer = { ...sale.payer, email }
  const { code } = (await shop.createTransaction({ ...sale, transaction, payer })).transaction
  const { payments } = await shop.listPayments({ reference })
  expect(payments).toMatchObject([{ code, metadata: METADATA, 'payer-email': email }])
  const { card: charged } = await shop.findPayment(code)
  expect(charged).toMatchObject({ brand: 'elo', acquirer: { cnpj: '01027058000191' } })
  expect(charged?.acquirer?.nsu).toMatch(/^\d+$/)
  expect(charged?.acquirer?.['authorization-code']).toMatch(/^\w+$/)
  return code
}

interface Known {
  readonly code: string
  readonly card: string
}

/** A key that may only read does only that. */
async function refuseFewerScopes(cofre: CofreProcess, { code, card }: Known): Promise<void> {
  const named = [STORE.id, '--name', 'Reports', '--scopes', 'read']
  const { key, secret } = await command(cofre, 'store-key', 'add', ...named)
  const baseUrl = `http://127.0.0.1:${cofre.ports.api}`
  const reader = createMerchantClient({ baseUrl, storeId: STORE.id, secret, retryBudgetMs: 0 })
  expect(await reader.findPayment(code)).toMatchObject({ code })
  for (const refused of [
    () => reader.createRefund({ 'transaction-id': code, 'notify-url': NOWHERE }),
    () => reader.cancelPayment(code),
    () => reader.deleteSavedCard(card),
    () => reader.createEventEndpoint({ url: 'https://shop.example/events' }),
  ])
    await expect(refused()).rejects.toThrow('90031')
  await command(cofre, 'store-key', 'end', STORE.id, key)
  await expect(reader.findPayment(code)).rejects.toThrow('10003')
}

async function command({ dataDir }: CofreProcess, ...words: string[]) {
  const env = { ...process.env, COFRE_DATA_DIR: dataDir }
  const { stdout } = await run(process.execPath, [COFRE, ...words, '--json'], { env })
  return JSON.parse(stdout) as { readonly key: string; readonly secret: string }
}
