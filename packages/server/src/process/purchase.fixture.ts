import { type CreateTransactionRequest, createMerchantClient } from '@cofre/merchant'
import { readConfig } from '../config/config.js'
import { runProgram } from '../main.js'

const STORE = 'loja'

/**
 * Creates a sandbox store that may use raw cards, by an operator's command. Resolves to its secret.
 */
export async function createTestStore(environ: Record<string, string>): Promise<string> {
  let output = ''
  await runProgram(`store create ${STORE} --sandbox --raw-cards --json`.split(' '), {
    clock: { now: () => Date.now() },
    config: (mode) => readConfig(environ, mode),
    print: (text) => (output += text),
    warn: () => undefined,
    fail: () => undefined,
  })
  return (JSON.parse(output) as { secret: string }).secret
}

/** Buys in that store with a test card. @param port - Port of the sandbox. */
export async function buyWithRawCard(port: number, secret: string) {
  return await shopOf(port, secret).createTransaction(cardPurchase('order-1'))
}

/** Authorizes a test card in that store, and captures a part. */
export async function captureRawCard(port: number, secret: string) {
  const shop = shopOf(port, secret)
  const { transaction } = await shop.createTransaction(
    cardPurchase('order-1', VISA, { capture: false }),
  )
  return await shop.capturePayment(transaction.code, { amount: 40 })
}

function shopOf(port: number, secret: string) {
  const baseUrl = `http://127.0.0.1:${port}`
  return createMerchantClient({ baseUrl, storeId: STORE, secret, retryBudgetMs: 0 })
}

const VISA = { brand: 'visa', number: '4111111111111111' }

/** An order of R$ 100.00 by card. */
export function cardPurchase(
  reference: string,
  { brand, number } = VISA,
  more: { readonly capture?: boolean } = {},
): CreateTransactionRequest {
  return orderOf(reference, {
    amount: 100,
    currency: 'BRL',
    'payment-method': { type: 'credit-card', 'sub-type': brand },
    'payment-info': {
      installments: 1,
      'credit-card': { number, cvv: '123', 'expiration-date': '2030-12' },
      ...more,
    },
  })
}

/** An order of R$ 1.00 by PIX. */
export function pixPurchase(reference: string): CreateTransactionRequest {
  return orderOf(reference, { amount: 1, 'payment-method': { type: 'eft', 'sub-type': 'pix' } })
}

/** An order of R$ 5.00 by boleto, for a payer whose address a bank accepts. */
export function boletoPurchase(reference: string): CreateTransactionRequest {
  const order = orderOf(reference, {
    amount: 5,
    'payment-method': { type: 'postpay', 'sub-type': 'boleto' },
  })
  const address = {
    country: 'BR',
    state: 'PR',
    city: 'Curitiba',
    district: 'Centro',
    street: 'Rua XV de Novembro',
    number: '100',
    'zip-code': '80020310',
  }
  return { ...order, payer: { ...order.payer, address } }
}

function orderOf(
  reference: string,
  charge: CreateTransactionRequest['charge'][0],
): CreateTransactionRequest {
  return {
    transaction: {
      reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': 'https://shop.example/notifications',
      language: 'pt-BR',
    },
    charge: [charge],
    payer: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      'birth-date': '1990-01-31',
      'phone-number': '+5541988887777',
      document: { type: 'CPF', number: '52998224725' },
      ip: '203.0.113.7',
    },
    cart: [{ quantity: 1, description: 'Café', 'unit-price': charge.amount, type: 'digital' }],
  }
}
