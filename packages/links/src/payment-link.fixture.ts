import { randomUUID } from 'node:crypto'
import type { LinkElement } from '@cofre/contracts'
import type { PayResult, PaymentOrder } from './model/payment-page.js'
import { MERCHANT, type TestGateway } from '../../gateway/src/gateway.fixture.js'
import type { Merchant } from '../../gateway/src/model/merchant/merchant.js'

/** A valid body of `POST /payment-links`. */
export function linkRequest(reference: string, over: Record<string, unknown> = {}) {
  return {
    reference,
    amount: 100,
    description: 'Café',
    methods: ['credit-card', 'pix', 'boleto', 'pagseguro'],
    'notification-url': 'https://shop.example/notifications',
    ...over,
  }
}

/** Creates a link through the store's API. */
export async function makeLink(
  test: Pick<TestGateway, 'send'>,
  body: object,
  merchant: Merchant = MERCHANT,
): Promise<LinkElement> {
  const { json, text } = await test.send('POST', '/payment-links', { body, merchant })
  if (json['payment-link'] === undefined) throw new Error(text)
  return json['payment-link'] as LinkElement
}

/** A shopper's order; each has its own form. */
export function orderOf(method: string, over: Partial<PaymentOrder> = {}): PaymentOrder {
  return {
    formId: randomUUID(),
    method,
    address: '203.0.113.7',
    payer: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      document: '529.982.247-25',
      phone: '(41) 98888-7777',
    },
    card: method === 'credit-card' ? { token: 'a.b.c.d.e', installments: 1 } : undefined,
    returnUrl: (tryId) => `https://api.example.com/pay/link/${tryId}`,
    ...over,
  }
}

/** The try that an order has opened. */
export function tryOf(result: PayResult): string {
  if (result.kind !== 'try') throw new Error(`no try: ${JSON.stringify(result)}`)
  return result.tryId
}
