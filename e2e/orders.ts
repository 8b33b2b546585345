import type { CreateTransactionRequest } from '@cofre/merchant'

/** CPFs of the test payers, so that the purchase limit per payer does not stop a load. */
const DOCUMENTS = ['52998224725', '39053344705', '11144477735', '29002996080']

export interface OrderOptions {
  readonly reference: string
  readonly notificationUrl: string
  /** Index of the payer. */
  readonly payer?: number
}

/** An order of one real, paid with a card that the shop's server sends. */
export function cardOrder(number: string, options: OrderOptions): CreateTransactionRequest {
  return order(options, {
    amount: 1,
    currency: 'BRL',
    'payment-method': { type: 'credit-card' },
    'payment-info': {
      installments: 1,
      'credit-card': { number, cvv: '737', 'expiration-date': '2030-12' },
    },
  })
}

/** An order of one real, paid by boleto or PIX. */
export function railOrder(rail: 'boleto' | 'pix', options: OrderOptions): CreateTransactionRequest {
  const paymentMethod =
    rail === 'pix'
      ? ({ type: 'eft', 'sub-type': rail } as const)
      : ({ type: 'postpay', 'sub-type': rail } as const)
  const { payer, ...rest } = order(options, { amount: 1, 'payment-method': paymentMethod })
  return { ...rest, payer: { ...payer, ...(rail === 'boleto' && { address: ADDRESS }) } }
}

/** Banks register no boleto without its payer's address. */
const ADDRESS = {
  country: 'BR',
  state: 'SP',
  city: 'São Paulo',
  district: 'Bela Vista',
  street: 'Avenida Paulista',
  number: '1000',
  'zip-code': '01310100',
}

/** An order at a bank. @param amount - At least five reais for a boleto. */
export function bankOrder(
  rail: 'boleto' | 'pix',
  amount: number,
  options: OrderOptions,
): CreateTransactionRequest {
  const { cart, charge, ...rest } = railOrder(rail, options)
  return {
    ...rest,
    charge: [{ ...charge[0], amount }],
    cart: [{ ...cart[0], 'unit-price': amount }],
  }
}

/** An order of one real. */
export function order(
  { reference, notificationUrl, payer = 0 }: OrderOptions,
  charge: CreateTransactionRequest['charge'][0],
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
      document: { type: 'CPF', number: DOCUMENTS[payer % DOCUMENTS.length] ?? '' },
    },
    cart: [{ quantity: 1, description: 'Café', 'unit-price': 1, type: 'digital' }],
  }
}
