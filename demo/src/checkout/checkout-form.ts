import { type CardSummary, parseCardSummary } from '../order/card-summary.js'
import { ADDRESS_FIELDS, CONTACT_FIELDS, type FieldName, type FieldValues } from './field-name.js'

/** Longest text of a form that is looked at; the service has limits of its own. */
const TEXT_LENGTH_MAX = 2048
const OPTIONAL_FIELDS: readonly FieldName[] = ['complement']

/** What pays, as it was posted. */
export type PaymentChoice =
  | {
      readonly kind: 'token'
      readonly token: string
      readonly isSaved: boolean
      readonly card: CardSummary | undefined
    }
  | { readonly kind: 'saved-card'; readonly code: string }
  | { readonly kind: 'boleto' | 'pix' }
  | { readonly kind: 'wallet'; readonly wallet: string }

/** A checkout as it was posted, trimmed. */
export interface CheckoutForm {
  /** Names the attempt, so that a form posted twice pays once. */
  readonly reference: string
  readonly values: FieldValues
  readonly method: Method
  /** Undefined when a card is to pay and neither a token nor a saved card came. */
  readonly payment: PaymentChoice | undefined
  readonly installments: number
}

/** A posted form, field by field. */
export type PostedForm = ReadonlyMap<string, string>

/** Ways to pay, as the form posts them: besides these a wallet's identifier. */
export const PLAIN_METHODS = ['card', 'pix', 'boleto'] as const
export type Method = (typeof PLAIN_METHODS)[number] | { readonly wallet: string }

/** How a method is posted. */
export function methodValue(method: Method): string {
  return typeof method === 'string' ? method : method.wallet
}

/** The `payment-code` radio that stands for a card typed into the page. */
export const NEW_CARD = 'new'

export const EMPTY_VALUES: FieldValues = readValues(new Map())

/** @param wallets - Identifiers of the wallets that the shop takes. A form without a method is about a card. */
export function parseCheckoutForm(form: PostedForm, wallets: readonly string[]): CheckoutForm {
  const method = parseMethod(text(form, 'method'), wallets)
  return {
    reference: text(form, 'reference'),
    values: readValues(form),
    method,
    payment: readPayment(form, method),
    installments: readCount(text(form, 'installments')),
  }
}

/** Fields that must be filled and are not. The service judges what they hold. */
export function missingFields(values: FieldValues, isShipped: boolean): readonly FieldName[] {
  const asked: readonly FieldName[] = isShipped
    ? [...CONTACT_FIELDS, ...ADDRESS_FIELDS]
    : CONTACT_FIELDS
  return asked.filter((name) => values[name] === '' && !OPTIONAL_FIELDS.includes(name))
}

function readValues(form: PostedForm): FieldValues {
  return {
    name: text(form, 'name').replaceAll(/\s+/g, ' '),
    email: text(form, 'email'),
    cpf: text(form, 'cpf'),
    'birth-date': text(form, 'birth-date'),
    phone: text(form, 'phone'),
    'zip-code': text(form, 'zip-code'),
    street: text(form, 'street'),
    number: text(form, 'number'),
    complement: text(form, 'complement'),
    district: text(form, 'district'),
    city: text(form, 'city'),
    state: text(form, 'state'),
  }
}

function parseMethod(value: string, wallets: readonly string[]): Method {
  if (wallets.includes(value)) return { wallet: value }
  return PLAIN_METHODS.find((method) => method === value) ?? 'card'
}

function readPayment(form: PostedForm, method: Method): PaymentChoice | undefined {
  if (typeof method === 'object') return { kind: 'wallet', wallet: method.wallet }
  return method === 'card' ? readCard(form) : { kind: method }
}

function readCard(form: PostedForm): PaymentChoice | undefined {
  const code = text(form, 'payment-code')
  const token = text(form, 'token')
  if (code !== '' && code !== NEW_CARD) return { kind: 'saved-card', code }
  if (token === '') return undefined
  const card = parseCardSummary(text(form, 'card-brand'), text(form, 'card-last-four'))
  return { kind: 'token', token, isSaved: text(form, 'save') !== '', card }
}

function readCount(value: string): number {
  return /^\d{1,2}$/.test(value) ? Number(value) : 1
}

function text(form: PostedForm, name: string): string {
  return (form.get(name) ?? '').trim().slice(0, TEXT_LENGTH_MAX)
}
