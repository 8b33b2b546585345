import type {
  AddressRequest,
  CardSourceRequest,
  CartItemRequest,
  CreateTransactionRequest,
  PayerRequest,
} from '@cofre/merchant'
import { toReais } from '../centavos.js'
import { type CartLine, type CartTotals, isShipped } from '../cart/cart.js'
import type { Language } from '../language/language.js'
import type { PaymentChoice } from './checkout-form.js'
import type { FieldValues } from './field-name.js'

const BRAZIL_CALLING_CODE = '+55'

/** All that a transaction request is made of. */
export interface Purchase {
  readonly reference: string
  readonly lines: readonly [CartLine, ...CartLine[]]
  readonly totals: CartTotals
  readonly values: FieldValues
  readonly payment: PaymentChoice
  readonly installments: number
  readonly language: Language
  readonly notificationUrl: string
}

/** The body of `POST /transactions` for a purchase (spec 2.1). */
export function transactionRequest(purchase: Purchase): CreateTransactionRequest {
  const { lines, totals, values, language } = purchase
  const [first, ...others] = lines
  const address = isShipped(lines) ? addressOf(values) : undefined
  return {
    transaction: {
      reference: purchase.reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': purchase.notificationUrl,
      language,
    },
    charge: [
      {
        amount: toReais(totals.totalCentavos),
        'payment-method': { type: 'credit-card' },
        'payment-info': {
          installments: purchase.installments,
          ...cardSource(purchase.payment),
        },
      },
    ],
    payer: { ...payerOf(values), ...(address !== undefined && { address }) },
    ...(address !== undefined && {
      shipping: { cost: toReais(totals.shippingCentavos), address },
    }),
    cart: [cartItem(first, language), ...others.map((line) => cartItem(line, language))],
  }
}

function cardSource(payment: PaymentChoice): CardSourceRequest {
  if (payment.kind === 'saved-card') return { code: payment.code }
  return { token: payment.token, ...(payment.isSaved && { save: true }) }
}

function payerOf(values: FieldValues): PayerRequest {
  return {
    name: values.name,
    email: values.email,
    'birth-date': values['birth-date'],
    'phone-number': internationalPhone(values.phone),
    document: { type: 'CPF', number: digitsOf(values.cpf) },
  }
}

function addressOf(values: FieldValues): AddressRequest {
  return {
    street: values.street,
    number: values.number,
    ...(values.complement !== '' && { complement: values.complement }),
    district: values.district,
    city: values.city,
    state: values.state.toUpperCase(),
    country: 'BR',
    'zip-code': digitsOf(values['zip-code']),
  }
}

function cartItem({ product, quantity }: CartLine, language: Language): CartItemRequest {
  return {
    quantity,
    description: product.texts[language].name,
    'unit-price': toReais(product.priceCentavos),
    type: product.type,
    category: product.category,
  }
}

function internationalPhone(phone: string): string {
  const digits = digitsOf(phone)
  return phone.startsWith('+') ? `+${digits}` : `${BRAZIL_CALLING_CODE}${digits}`
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}
