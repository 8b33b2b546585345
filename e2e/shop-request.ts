import { createMerchantClient } from '@cofre/merchant'
import type { SessionAnswer } from '../packages/contracts/src/wire/direct-token.js'
import { tokenFor } from '../packages/vault/src/vault.fixture.js'
import { type Ports, STORE } from './cofre-process.js'

type CreateTransactionRequest = Parameters<
  ReturnType<typeof createMerchantClient>['createTransaction']
>[0]
type Charge = CreateTransactionRequest['charge'][number]

const CARD_CHARGE = {
  amount: 10,
  currency: 'BRL',
  'payment-method': { type: 'credit-card' },
} as const

/** A shop's server, signed in at an API of the product. */
export function merchantAt(port: number) {
  const baseUrl = `http://127.0.0.1:${port}`
  return createMerchantClient({ baseUrl, storeId: STORE.id, secret: STORE.secret })
}

/** A card's part of a charge. */
export type CardInfo = Extract<Charge, { 'payment-info': unknown }>['payment-info']

/** A purchase of 10 BRL by card. */
export function cardPurchase(
  reference: string,
  info: CardInfo,
  notificationUrl?: string,
): CreateTransactionRequest {
  return purchase(reference, { ...CARD_CHARGE, 'payment-info': info }, notificationUrl)
}

/** A purchase of 10 BRL. */
export function purchase(
  reference: string,
  charge: Charge,
  notificationUrl = 'http://127.0.0.1:9/notifications',
): CreateTransactionRequest {
  return {
    transaction: {
      reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': notificationUrl,
      language: 'pt-BR',
    },
    charge: [charge],
    payer: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      'birth-date': '1990-01-31',
      'phone-number': '+5541988887777',
      ip: '203.0.113.9',
      document: { type: 'CPF', number: '52998224725' },
    },
    cart: [{ quantity: 1, description: 'Café', 'unit-price': 10, type: 'digital' }],
  }
}

export interface ShopperCard {
  readonly number: string
  readonly cvv: string
}

/** Does what the browser library does. */
export async function depositCard({ vault }: Ports, { number, cvv }: ShopperCard): Promise<string> {
  const origin = `http://127.0.0.1:${vault}`
  const session = await fetch(`${origin}/sessions`, { method: 'POST' })
  const payload = { number, cvv, month: '12', year: '2030' }
  const token = await tokenFor((await session.json()) as SessionAnswer, payload)
  const deposit = await fetch(`${origin}/direct-tokens`, { method: 'POST', body: token })
  if (deposit.status !== 201) throw new Error(`the deposit was answered ${deposit.status}`)
  return token
}
