import {
  INSTALLMENTS_BY_CONTRACT_MAX,
  type MinorUnits,
  holdsCardNumber,
  minorUnits,
} from '@cofre/contracts'
import type { OrderPayer, PaymentOrder, ShownLink } from '../../model/payment-page.js'
import { type MethodKind, kindOf } from '../frame/method.js'
import { FIELD_NAMES, type FieldName } from './payer-field.js'
import type { ProblemName } from './refusal.js'

/** The typed values, without the card. */
export interface TypedForm {
  /** Undefined until one of the link's methods is chosen. */
  readonly method: string | undefined
  readonly values: ReadonlyMap<FieldName, string>
  readonly installments: number
}

/** A valid form; only the routes know the payer's return address. */
export type ReadOrder = Omit<PaymentOrder, 'address' | 'returnUrl'>

export interface ReadForm {
  readonly typed: TypedForm
  /** The order for the gateway, or the form's problem. */
  readonly order: ReadOrder | ProblemName
}

const FORM_ID = /^[\w-]{16,64}$/
const TOKEN_LENGTH_MAX = 1024

/** Parses a posted form. The gateway validates the payer, by the rules of the API. */
export function readPayForm(
  fields: ReadonlyMap<string, string>,
  { methods }: Pick<ShownLink, 'methods'>,
): ReadForm {
  // Removes invisible characters that pasted text brings along.
  const text = (name: string): string => (fields.get(name) ?? '').replaceAll(/\p{Cf}/gu, '').trim()
  const method = methods.find((known) => known === text('method'))
  const installments = countOf(text('installments'))
  const values = new Map(FIELD_NAMES.map((name) => [name, text(name)]))
  const formId = text('form')
  const typed = { method, values: withoutCards(values), installments }
  if (method === undefined) return { typed, order: 'choose_method' }
  if (!FORM_ID.test(formId) || holdsCardNumber(formId)) return { typed, order: 'foreign' }
  const kind = kindOf(method)
  const order = { formId, method, payer: payerOf(values, kind) }
  if (kind !== 'card') return { typed, order }
  const token = text('token')
  if (token === '' || token.length > TOKEN_LENGTH_MAX) return { typed, order: 'card_missing' }
  const shownMinor = shownPrice(text('prices'), installments)
  if (installments > 1 && shownMinor === undefined) return { typed, order: 'price_changed' }
  return { typed, order: { ...order, card: { token, installments, shownMinor } } }
}

/** The shown price of these installments, from the form's list of prices by count. */
function shownPrice(prices: string, installments: number): MinorUnits | undefined {
  const price = prices.split(',', INSTALLMENTS_BY_CONTRACT_MAX)[installments - 1] ?? ''
  return /^[1-9]\d{0,11}$/.test(price) ? minorUnits(Number(price)) : undefined
}

function countOf(text: string): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 1
  return Math.min(Math.max(count, 1), INSTALLMENTS_BY_CONTRACT_MAX)
}

function payerOf(values: ReadonlyMap<FieldName, string>, kind: MethodKind): OrderPayer {
  const value = (name: FieldName): string => values.get(name) ?? ''
  const payer = {
    name: value('name'),
    email: value('email'),
    document: value('document'),
  }
  switch (kind) {
    case 'card':
      return { ...payer, birthDate: isoDay(value('birth-date')), phone: value('phone') }
    case 'boleto':
      return {
        ...payer,
        address: {
          zipCode: value('zip-code'),
          street: value('street'),
          number: value('number'),
          ...(value('complement') !== '' && { complement: value('complement') }),
          district: value('district'),
          city: value('city'),
          state: value('state'),
        },
      }
    case 'pix':
    case 'wallet':
      return payer
  }
}

/** Browsers without a date field send the text as typed: 31/01/1990. */
function isoDay(text: string): string | undefined {
  if (text === '') return undefined
  return text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$2-$1')
}

const DOCUMENT_LENGTH_MAX = 14

/**
 * Hides a card number that was typed into a wrong field when the page shows the typed values again.
 */
function withoutCards(values: ReadonlyMap<FieldName, string>): ReadonlyMap<FieldName, string> {
  const isShown = (name: FieldName, value: string): boolean =>
    // A CNPJ may look like a card's number.
    (name === 'document' &&
      value.replaceAll(/[^\p{L}\p{N}]/gu, '').length <= DOCUMENT_LENGTH_MAX) ||
    !holdsCardNumber(value)
  return new Map(
    [...values].map(([name, value]) => [name, isShown(name, value) ? value : ''] as const),
  )
}
