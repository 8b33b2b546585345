import type {
  AddressRequest,
  CartItemRequest,
  ChargeRequest,
  CreateTransactionRequest,
} from '@cofre/merchant'
import type { Language } from '@cofre/pages'
import type { CardSummary } from '../model/card.js'
import { type CartLine, isMadeToOrder, isShipped, totalsOf } from '../model/cart.js'
import { toReais } from '../model/money.js'
import type { FieldName, FieldValues } from '../model/payer.js'
import type { ShopSession } from '../model/session.js'

const BRAZIL_CALLING_CODE = '+55'

/** The source of the payment. */
export type PaymentChoice =
  | {
      readonly kind: 'token'
      readonly token: string
      readonly isSaved: boolean
      readonly card: CardSummary | undefined
    }
  | {
      readonly kind: 'saved-card'
      readonly code: string
      /** If the page has asked for the card's security code. */
      readonly securityCodeToken?: string
    }
  | { readonly kind: 'boleto' | 'pix' }
  | { readonly kind: 'wallet'; readonly wallet: string }

/** A checkout that is complete enough to be sent. */
export interface Purchase {
  readonly reference: string
  readonly session: ShopSession
  readonly lines: readonly [CartLine, ...CartLine[]]
  readonly values: FieldValues
  readonly payment: PaymentChoice
  readonly installments: number
  readonly language: Language
  /** IP address of the payer's browser. */
  readonly payerIp: string | undefined
}

/** The body of `POST /transactions` (specification, section 2.1). */
export function transactionRequest(purchase: Purchase, origin: string): CreateTransactionRequest {
  const { reference, lines, payment, language } = purchase
  const [first, ...others] = lines
  const areShipped = isShipped(lines)
  const address = areShipped || payment.kind === 'boleto' ? addressOf(purchase.values) : undefined
  const isCard = payment.kind === 'token' || payment.kind === 'saved-card'
  // Anyone can open this URL, so the shop asks the service for the outcome.
  const back = `${origin}/orders/${reference}?check=yes`
  return {
    transaction: {
      reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': `${origin}/notifications`,
      language: language === 'en' ? 'en-US' : language,
      ...((payment.kind === 'wallet' || isCard) && {
        'redirect-urls': { success: back, fail: back },
      }),
    },
    charge: [chargeOf(purchase)],
    payer: { ...payerOf(purchase), ...(address !== undefined && { address }) },
    ...(areShipped &&
      address !== undefined && {
        shipping: { cost: toReais(totalsOf(lines).shippingCentavos), address },
      }),
    cart: [cartItem(first, language), ...others.map((line) => cartItem(line, language))],
  }
}

function chargeOf({ payment, installments, lines }: Purchase): ChargeRequest {
  const amount = toReais(totalsOf(lines).totalCentavos)
  const byCard = { amount, 'payment-method': { type: 'credit-card' } } as const
  const byInfo = { installments, ...(isMadeToOrder(lines) && { capture: false }) }
  switch (payment.kind) {
    case 'token': {
      const { token, isSaved } = payment
      return { ...byCard, 'payment-info': { ...byInfo, token, ...(isSaved && { save: true }) } }
    }
    case 'saved-card': {
      const { code, securityCodeToken: token } = payment
      const info = { ...byInfo, code, ...(token && { 'security-code-token': token }) }
      return { ...byCard, 'payment-info': info }
    }
    case 'boleto':
      return { amount, 'payment-method': { type: 'postpay', 'sub-type': 'boleto' } }
    case 'pix':
      return { amount, 'payment-method': { type: 'eft', 'sub-type': 'pix' } }
    case 'wallet':
      return { amount, 'payment-method': { type: 'e-wallet', 'sub-type': payment.wallet } }
  }
}

function payerOf({ values, payerIp }: Purchase) {
  return {
    name: fieldValue(values, 'name'),
    email: fieldValue(values, 'email'),
    'birth-date': fieldValue(values, 'birth-date'),
    'phone-number': internationalPhone(fieldValue(values, 'phone')),
    document: { type: 'CPF', number: digitsOf(fieldValue(values, 'cpf')) },
    ...(payerIp !== undefined && { ip: payerIp }),
  } as const
}

function addressOf(values: FieldValues): AddressRequest {
  const complement = fieldValue(values, 'complement')
  return {
    street: fieldValue(values, 'street'),
    number: fieldValue(values, 'number'),
    ...(complement !== '' && { complement }),
    district: fieldValue(values, 'district'),
    city: fieldValue(values, 'city'),
    state: fieldValue(values, 'state').toUpperCase(),
    country: 'BR',
    'zip-code': digitsOf(fieldValue(values, 'zip-code')),
  }
}

function cartItem({ product, quantity }: CartLine, language: Language): CartItemRequest {
  return {
    quantity,
    description: product.texts[language].name,
    'unit-price': toReais(product.priceCentavos),
    type: product.isShipped ? 'physical' : 'digital',
    category: product.category,
  }
}

function fieldValue(values: FieldValues, name: FieldName): string {
  return values.get(name) ?? ''
}

function internationalPhone(phone: string): string {
  const digits = digitsOf(phone)
  return phone.startsWith('+') ? `+${digits}` : `${BRAZIL_CALLING_CODE}${digits}`
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}
