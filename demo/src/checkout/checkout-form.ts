import { parseCardSummary } from '../model/card.js'
import {
  ADDRESS_FIELDS,
  CONTACT_FIELDS,
  FIELD_NAMES,
  type FieldName,
  type FieldValues,
  OPTIONAL_FIELDS,
} from '../model/payer.js'
import { CARD_INPUTS, type CardInput, type ShopSession } from '../model/session.js'
import type { PaymentChoice } from '../payment/purchase.js'
import type { Refusal } from '../payment/refusal.js'

/** Longest text of a field; the service has its own limits. */
const TEXT_LENGTH_MAX = 2048
const REFERENCE = /^serra-[0-9a-z]{1,16}-[0-9a-f]{8}$/

/** The ways to pay except wallets, which are posted as their identifiers. */
export const PLAIN_METHODS = ['card', 'pix', 'boleto'] as const

/** The `payment-code` of a new card. */
export const NEW_CARD = 'new'

type Fields = ReadonlyMap<string, string>

/** A posted checkout, trimmed. */
export interface CheckoutForm {
  /**
   * Names the attempt, so that a form that is posted twice pays once; empty if the shop did not
   * issue it.
   */
  readonly reference: string
  readonly values: FieldValues
  /** One of {@link PLAIN_METHODS} or a wallet. */
  readonly method: string
  /** Undefined if the method is a card and the form has neither a token nor a saved card. */
  readonly payment: PaymentChoice | undefined
  readonly installments: number
}

/** Treats a method that the shop does not offer as a card. */
export function parseCheckoutForm(fields: Fields, wallets: readonly string[]): CheckoutForm {
  const posted = trimmedField(fields, 'method')
  const method = [...PLAIN_METHODS, ...wallets].find((known) => known === posted) ?? 'card'
  const quantity = trimmedField(fields, 'installments')
  const [reference = ''] = REFERENCE.exec(trimmedField(fields, 'reference')) ?? []
  return {
    reference,
    values: new Map(FIELD_NAMES.map((name) => [name, valueOf(fields, name)])),
    method,
    payment: readPayment(fields, method),
    installments: /^\d{1,2}$/.test(quantity) ? Number(quantity) : 1,
  }
}

/** The card input that the form's switch requests; undefined for a normal checkout. */
export function parseCardInput(fields: Fields): CardInput | undefined {
  return CARD_INPUTS.find((known) => known === fields.get('card-input'))
}

interface Buyer {
  readonly session: ShopSession
  readonly isShipped: boolean
}

/**
 * The shop's own checks: required fields, and the owner of a saved card. The service checks the
 * rest.
 */
export function judgeForm(form: CheckoutForm, { session, isShipped }: Buyer): Refusal {
  const { values, payment } = form
  // The bank that issues a boleto needs the payer's address.
  const asksAddress = isShipped || payment?.kind === 'boleto'
  const asked = asksAddress ? [...CONTACT_FIELDS, ...ADDRESS_FIELDS] : CONTACT_FIELDS
  const fields = asked.filter((name) => values.get(name) === '' && !OPTIONAL_FIELDS.includes(name))
  if (payment === undefined) return { fields, problems: ['card_missing'] }
  const isStrange =
    payment.kind === 'saved-card' && !session.savedCards.some(({ code }) => code === payment.code)
  return { fields, problems: isStrange ? ['saved_card_unusable'] : [] }
}

function readPayment(fields: Fields, method: string): PaymentChoice | undefined {
  if (method === 'pix' || method === 'boleto') return { kind: method }
  if (method !== 'card') return { kind: 'wallet', wallet: method }
  const code = trimmedField(fields, 'payment-code')
  if (code !== '' && code !== NEW_CARD) {
    const securityCodeToken = trimmedField(fields, 'security-code-token')
    return { kind: 'saved-card', code, ...(securityCodeToken !== '' && { securityCodeToken }) }
  }
  const token = trimmedField(fields, 'token')
  if (token === '') return undefined
  const card = parseCardSummary(
    trimmedField(fields, 'card-brand'),
    trimmedField(fields, 'card-last-four'),
  )
  return { kind: 'token', token, isSaved: trimmedField(fields, 'save') !== '', card }
}

function valueOf(fields: Fields, name: FieldName): string {
  const value = trimmedField(fields, name)
  return name === 'name' ? value.replaceAll(/\s+/g, ' ') : value
}

function trimmedField(fields: Fields, name: string): string {
  return (fields.get(name) ?? '').trim().slice(0, TEXT_LENGTH_MAX)
}
