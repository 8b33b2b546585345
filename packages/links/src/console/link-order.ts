import { randomBytes } from 'node:crypto'
import { CARD_TYPE, DAY_MS, type Failure, LINK_USAGES, formatAmount } from '@cofre/contracts'
import type { LinkMethod } from '../model/payment-link.js'
import { type Form, csvTime, readAmount } from '@cofre/panel/page'

/** The fields of the form, by the API's names. */
export const LINK_FIELDS = [
  'amount',
  'description',
  'reference',
  'methods',
  'capture',
  'installments',
  'usage',
  'expires-at',
  'language',
  'success-url',
  'notification-url',
] as const
export type LinkField = (typeof LINK_FIELDS)[number]

/** The typed values; `methods` has names separated by blanks, `capture` is empty or `later`. */
export type TypedLink = Readonly<Record<LinkField, string>>

/** After this time, a link is more likely forgotten than needed. */
const DEFAULT_LIFETIME_MS = 30 * DAY_MS

interface FirstValues {
  readonly nowMs: number
  readonly methods: readonly LinkMethod[]
  /** The store's own, or that of its last link or payment. */
  readonly notificationUrl: string
  /** The store's own language. */
  readonly language: string
  /** The store's maximum. */
  readonly installmentsMax: number
}

/** The initial values of an empty form. */
export function emptyLink(first: FirstValues): TypedLink {
  const { nowMs, methods, language, notificationUrl, installmentsMax } = first
  const dayOf = (ms: number) => csvTime(ms).slice(0, 10)
  return {
    amount: '',
    description: '',
    reference: `link-${dayOf(nowMs)}-${randomBytes(3).toString('hex')}`,
    methods: methods.join(' '),
    capture: '',
    installments: String(installmentsMax),
    usage: LINK_USAGES[0],
    'expires-at': `${dayOf(nowMs + DEFAULT_LIFETIME_MS)}T23:59`,
    language,
    'success-url': '',
    'notification-url': notificationUrl,
  }
}

/** @param methods - Those that the form offers, each with its own box. */
export function readLink(form: Form, methods: readonly LinkMethod[]): TypedLink {
  const fields = LINK_FIELDS.map((name) => [name, (form.get(name) ?? '').trim()] as const)
  const chosen = methods.filter((method) => form.has(methodBox(method)))
  return { ...(Object.fromEntries(fields) as TypedLink), methods: chosen.join(' ') }
}

export function methodBox(method: LinkMethod): string {
  return `method-${method}`
}

export function chosenMethods({ methods }: TypedLink): readonly LinkMethod[] {
  return methods.split(' ').filter((method) => method !== '')
}

/** The body of `POST /payment-links`; empty fields are absent. */
export function linkBody(typed: TypedLink): Readonly<Record<string, unknown>> {
  const { amount, capture, installments } = typed
  const chosen = chosenMethods(typed)
  const centavos = readAmount(amount)
  const given = Object.entries(typed).filter(([, text]) => text !== '')
  return {
    ...Object.fromEntries(given),
    // An unreadable amount is sent as one that the API rejects.
    ...(amount !== '' && { amount: centavos === undefined ? '?' : formatAmount(centavos) }),
    // The form offers all methods: with a card, `capture` takes it alone.
    methods: capture !== '' && chosen.includes(CARD_TYPE) ? [CARD_TYPE] : chosen,
    ...(capture !== '' && { capture: false }),
    ...(installments !== '' && { installments: Number(installments) }),
    ...(typed['expires-at'] !== '' && { 'expires-at': timestampOf(typed['expires-at']) }),
  }
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** A time in Brasília, three hours behind UTC all year. */
function timestampOf(typed: string): string {
  return LOCAL_TIME.test(typed) ? `${typed}:00.0-03:00` : typed
}

/** The field of a failure; undefined if no field of the form has it. */
export function fieldOf({ property = '' }: Failure): LinkField | undefined {
  const name = property.replace(/\[\d+\]$/, '')
  return LINK_FIELDS.find((known) => known === name)
}
