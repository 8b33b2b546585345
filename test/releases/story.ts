import { DAY_MS } from '@cofre/contracts'
import { beginDeadline } from '@cofre/work'
import { expect } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  cardRequest,
  railRequest,
} from '../../packages/gateway/src/gateway.fixture.js'
import {
  claimNotifications,
  deliver,
} from '../../packages/notifications/src/notification-delivery.js'
import { createReceivedOrder } from '../../packages/gateway/src/payment/received-order-service.js'
import { processRefunds } from '../../packages/gateway/src/payment/refund-service.js'
import type { Installation } from './installation.js'

// References of the orders, by which the next version finds them.
const [SAVED, REFUNDED, SLOW, UNSENT, BOLETO, PIX, WALLET] = [
  'order-saved',
  'order-refunded',
  'order-slow-refund',
  'order-unsent',
  'order-boleto',
  'order-pix',
  'order-wallet',
]

const SHOP = 'https://shop.example/notifications'

/** Lets a shop work for a day; every later release must preserve the result. */
export async function workForADay(cofre: Installation): Promise<void> {
  const { parts, vault } = cofre
  await buy(cofre, SAVED, { token: await vault.deposit(), save: true })
  const refunded = await buy(cofre, REFUNDED, { token: await vault.deposit() })
  await cofre.send('GET', `/transactions/${refunded}`)
  await refund(cofre, { 'transaction-id': refunded, amount: 40, reference: 'part' })
  const slow = await buy(cofre, SLOW, { token: await vault.deposit() })
  await refund(cofre, { 'transaction-id': slow, amount: 100, reference: 'slow' })
  await processRefunds(parts)
  vault.acquirer.answers = ['declined']
  await buy(cofre, 'order-declined', { token: await vault.deposit() })
  vault.acquirer.answers = ['approved']
  await cofre.send('POST', '/transactions', {
    body: railRequest(BOLETO, 'boleto'),
    headers: { 'idempotency-key': 'once' },
  })
  await cofre.send('POST', '/transactions', { body: railRequest(PIX, 'pix') })
  await cofre.send('POST', '/transactions', { body: railRequest(WALLET, 'pagseguro') })
  await deliverAll(cofre)
  cofre.shop = { statusCode: 500, durationMs: 1, responseExcerpt: 'out of order' }
  await buy(cofre, UNSENT, { token: await vault.deposit() })
  await deliverAll(cofre)
  await vault.vault.sweep()
  await cofre.send('POST', '/transactions', { body: {} })
}

async function buy(
  cofre: Installation,
  reference: string,
  info: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { status, json } = await cofre.send('POST', '/transactions', {
    body: cardRequest(reference, { token: undefined, ...info }),
  })
  expect(status).toBe(201)
  return (json.transaction as { code: string }).code
}

async function refund(cofre: Installation, asked: object, expected = 201): Promise<void> {
  const body = { ...asked, 'notify-url': SHOP }
  const { status, text } = await cofre.send('POST', '/refunds', { body, digest: 'hex' })
  expect(status, text).toBe(expected)
}

/** A store's share of the deliveries limits one claim. */
async function deliverAll({ deliveries }: Installation): Promise<void> {
  for (;;) {
    const claimed = await claimNotifications(deliveries, 100)
    if (claimed.length === 0) return
    for (const notification of claimed) await deliver(deliveries, notification)
  }
}

/** Continues after {@link workForADay}, and checks that nothing has changed. */
export async function workOn(cofre: Installation): Promise<void> {
  const { parts } = cofre
  const find = async (reference: string) =>
    (await parts.transactions.findByReference(MERCHANT.id, reference))!
  const saved = await find(SAVED)
  const refunded = await find(REFUNDED)
  const slow = await find(SLOW)
  const unsent = await find(UNSENT)
  const boleto = await find(BOLETO)

  const shown = await cofre.send('GET', `/transactions/${saved.code}`)
  expect(shown.text).toContain(`"order-id":"${SAVED}"`)
  const since = encodeURIComponent(new Date(NOW_MS - DAY_MS).toISOString())
  const listed = await cofre.send('GET', `/transactions?initial-order-date=${since}`)
  expect(listed.text).toContain(REFUNDED)

  // Cards from before simulated accounts have no account, so no money to refund.
  const isAtAccount = saved.paymentDetails !== undefined
  for (const [{ code }, amount] of [
    [saved, 100],
    [refunded, 60],
  ] as const) {
    const asked = { 'transaction-id': String(code), amount }
    await refund(cofre, asked, isAtAccount ? 201 : 422)
  }
  await processRefunds(parts)
  expect((await find(SAVED)).status).toBe(isAtAccount ? 'REFUNDED' : 'COMPLETE')
  const refunds = await parts.refunds.findOf([refunded.code, slow.code])
  for (const { id } of refunds.get(slow.code) ?? [])
    await cofre.gateway.bankReports.reportRefund(String(id), 'PROCESSED')
  expect((await find(SLOW)).status).toBe('REFUNDED')
  expect(refunds.get(refunded.code)?.map(({ amountMinor }) => amountMinor)).toEqual(
    isAtAccount ? [4000, 6000] : [4000],
  )

  // A request of the earlier version that died unanswered is recognized when it is sent again.
  const wallet = {
    received: railRequest(WALLET, 'pagseguro'),
    isRetry: true,
    deadline: beginDeadline(),
  }
  expect((await createReceivedOrder(parts, MERCHANT, wallet)).code).toBe((await find(WALLET)).code)

  await buy(cofre, 'order-next', { code: saved.savedCard?.code })
  const again = cardRequest(SAVED, { token: undefined, code: saved.savedCard?.code })
  expect((await cofre.send('POST', '/transactions', { body: again })).status).toBe(409)

  await deliverAll(cofre)
  expect(cofre.sent).toContain(`${unsent.code}-1`)
  expect(await cofre.gateway.notifications.backlog()).toEqual([])

  expect((await cofre.app.request(`/b/${boleto.publicId}`)).status).toBe(200)
  await parts.transactions.changeStatus(boleto.code, { to: 'COMPLETE', atMs: NOW_MS + DAY_MS })
  expect(await find(BOLETO)).toMatchObject({ status: 'COMPLETE' })
  expect(await cofre.audit.verifyAuditLog()).toMatchObject({ kind: 'intact' })
}
