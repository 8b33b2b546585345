import type {
  AddressRequest,
  CartItemRequest,
  ChargeRequest,
  CreateTransactionRequest,
  PayerRequest,
} from '@cofre/merchant'
import { type Centavos, toReais } from '../centavos.js'
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
  /** Where a wallet sends the payer back to. */
  readonly returnUrls: { readonly success: string; readonly fail: string }
  /** The payer's address, IPv4 or IPv6. */
  readonly payerIp: string | undefined
}

/** The body of `POST /transactions` for a purchase (specification, section 2.1). */
export function transactionRequest(purchase: Purchase): CreateTransactionRequest {
  const { lines, totals, values, payment, language, payerIp: ip } = purchase
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
      ...(payment.kind === 'wallet' && { 'redirect-urls': purchase.returnUrls }),
    },
    charge: [chargeOf(purchase, totals.totalCentavos)],
    payer: {
      ...payerOf(values),
      ...(ip !== undefined && { ip }),
      ...(address !== undefined && { address }),
    },
    ...(address !== undefined && {
      shipping: { cost: toReais(totals.shippingCentavos), address },
    }),
    cart: [cartItem(first, language), ...others.map((line) => cartItem(line, language))],
  }
}

function chargeOf(
  { payment, installments }: Pick<Purchase, 'payment' | 'installments'>,
  amountCentavos: Centavos,
): ChargeRequest {
  const amount = toReais(amountCentavos)
  switch (payment.kind) {
    case 'token': {
      const { token, isSaved } = payment
      return cardCharge(amount, { installments, token, ...(isSaved && { save: true }) })
    }
    case 'saved-card':
      return cardCharge(amount, { installments, code: payment.code })
    case 'boleto':
      return { amount, 'payment-method': { type: 'postpay', 'sub-type': 'boleto' } }
    case 'pix':
      return { amount, 'payment-method': { type: 'eft', 'sub-type': 'pix' } }
    case 'wallet':
      return { amount, 'payment-method': { type: 'e-wallet', 'sub-type': payment.wallet } }
  }
}

type CardCharge = Extract<ChargeRequest, { readonly 'payment-info': unknown }>

function cardCharge(amount: number, info: CardCharge['payment-info']): CardCharge {
  return { amount, 'payment-method': { type: 'credit-card' }, 'payment-info': info }
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
