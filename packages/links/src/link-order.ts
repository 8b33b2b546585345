// Converts a payer's order into a transaction request, validated by the API's own rules.
import {
  ApiError,
  CARD_TYPE,
  type Clock,
  type Failure,
  type TransactionRequest,
  formatAmount,
  paymentTypeOf,
} from '@cofre/contracts'
import {
  dayInBrasilia,
  type Merchant,
  chargedInstallments,
  isDearer,
  priceChanged,
  readTransactionRequest,
  tooManyInstallments,
} from '@cofre/gateway/room'
import type { LinkRules, RandomBelow } from './model/link-rules.js'
import { isFormId } from './model/link-try.js'
import type { OrderCard, OrderPayer, PaymentOrder } from './model/payment-page.js'
import { type PaymentLink, drawLinkId } from './model/payment-link.js'

/** A payer's order, and the store of the link. */
export interface GivenOrder {
  readonly merchant: Merchant
  readonly order: PaymentOrder
}

/** The request of an order, with the reference of the link's first try. */
export interface ReadOrder {
  readonly request: TransactionRequest
  /** Drawn for the try of this request. */
  readonly tryId: string
}

/** See {@link readOrder}. */
export type LinkOrderReader = (link: PaymentLink, order: GivenOrder) => ReadOrder

export interface LinkOrderDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly rules: LinkRules
  readonly randomBelow: RandomBelow
}

/** @throws ApiError with every failure, by the names of the API's fields */
export function readOrder(
  deps: LinkOrderDeps,
  link: PaymentLink,
  { merchant, order }: GivenOrder,
): ReadOrder {
  const failures = [...orderFailures(deps, link, { merchant, order }), ...addressFailures(order)]
  if (failures.length > 0) throw new ApiError(failures)
  // Typed text is cleaned, whatever rules apply to the store's own requests. The reference was
  // validated with the link.
  const { installmentsMax } = merchant
  const rules = { rules: 'lenient', refusesCardReferences: false, installmentsMax } as const
  const policy = { ...deps.rules.requestPolicy, today: dayInBrasilia(deps.clock.now()) }
  const tryId = drawLinkId(deps.randomBelow)
  return { request: readTransactionRequest(bodyOf(link, { order, tryId }), rules, policy), tryId }
}

function* orderFailures(
  deps: LinkOrderDeps,
  link: PaymentLink,
  { merchant, order: { card, formId, method } }: GivenOrder,
): Generator<Failure> {
  if (!isFormId(formId)) yield { name: 'body_invalid', property: 'form', constraint: 'invalid' }
  if (!link.methods.includes(method))
    yield {
      name: 'charge_#_payment_method_sub_type_invalid',
      property: 'charge[0].payment-method.sub-type',
      constraint: 'invalid',
      index: 0,
      allowed: link.methods,
    }
  if (method !== CARD_TYPE || card === undefined) return
  const priced = { amount: link.amountMinor, brand: undefined }
  const { machineClock, rules } = deps
  const pricing = { machineClock, installmentTerms: rules.installmentTerms }
  const plan = chargedInstallments(pricing, merchant, priced).slice(0, link.installments)
  const chosen = plan[card.installments - 1]
  if (chosen === undefined) yield { ...tooManyInstallments, maximum: plan.length }
  else if (isDearer(chosen, card.shownMinor)) yield priceChanged
}

/** The banks' limits for an address, below the API's: the payer, who can shorten it, is present. */
const BANK_ADDRESS_MAX = { street: 100, number: 10, complement: 30 } as const

function* addressFailures({ payer: { address } }: PaymentOrder): Generator<Failure> {
  for (const part of ['street', 'number', 'complement'] as const) {
    const maximum = BANK_ADDRESS_MAX[part]
    if ((address?.[part] ?? '').trim().length <= maximum) continue
    const property = `payer.address.${part}`
    yield { name: `payer_address_${part}_invalid`, property, constraint: 'maximum', maximum }
  }
}

interface NamedOrder extends Pick<GivenOrder, 'order'>, Pick<ReadOrder, 'tryId'> {}

function bodyOf(link: PaymentLink, { order, tryId }: NamedOrder): unknown {
  const { method, card } = order
  const type = paymentTypeOf(method)
  const amount = formatAmount(link.amountMinor)
  // Only a wallet, or a card's bank that authenticates its holder, redirects the payer.
  const isLeft = type === 'e-wallet' || type === CARD_TYPE
  const returnUrl = isLeft ? order.returnUrl(tryId) : undefined
  return {
    transaction: {
      reference: `${link.reference}-1`,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': link.notificationUrl,
      language: link.language,
      metadata: link.metadata,
      ...(returnUrl !== undefined && { 'redirect-urls': { success: returnUrl, fail: returnUrl } }),
    },
    charge: [
      {
        amount,
        'payment-method': { type, ...(type !== CARD_TYPE && { 'sub-type': method }) },
        ...(type === CARD_TYPE && card && { 'payment-info': paymentInfoOf(link, card) }),
      },
    ],
    payer: payerOf(order),
    cart: [{ quantity: 1, description: link.description, 'unit-price': amount, type: 'service' }],
  }
}

function paymentInfoOf({ isCapturedLater }: PaymentLink, { installments, token }: OrderCard) {
  return { installments, token, ...(isCapturedLater && { capture: false }) }
}

function payerOf({ address: ip, payer }: PaymentOrder): unknown {
  const { name, email, phone = '', birthDate, address } = payer
  return {
    name: name.trim(),
    email: email.trim(),
    document: documentOf(payer),
    'birth-date': birthDate?.trim(),
    'phone-number': phoneOf(phone.trim()),
    ip,
    ...(address !== undefined && {
      address: {
        street: address.street.trim(),
        number: address.number.trim(),
        complement: address.complement?.trim(),
        district: address.district.trim(),
        city: address.city.trim(),
        state: address.state.trim(),
        country: 'BR',
        'zip-code': address.zipCode.trim(),
      },
    }),
  }
}

const CPF_DIGITS = 11

function documentOf({ document }: OrderPayer): unknown {
  const { length } = document.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return { type: length > CPF_DIGITS ? 'CNPJ' : 'CPF', number: document }
}

/** Payers omit the country's code for Brazilian numbers. */
function phoneOf(typed: string): string {
  return typed === '' || typed.startsWith('+') ? typed : `+55${typed}`
}
