import { randomBytes } from 'node:crypto'
import { DAY_MS, type Failure, LINK_USAGES, formatAmount } from '@cofre/contracts'
import type { LinkMethod } from '../model/payment-link.js'
import { type Form, csvTime, readAmount } from '@cofre/panel/page'

/** The fields of the form, by the names that the API has for them. */
export const LINK_FIELDS = [
  'amount',
  'description',
  'reference',
  'methods',
  'installments',
  'usage',
  'expires-at',
  'language',
  'success-url',
  'notification-url',
] as const
export type LinkField = (typeof LINK_FIELDS)[number]

/** What was typed; `methods` has their names with a blank between them. */
export type TypedLink = Readonly<Record<LinkField, string>>

/** A link is forgotten more often than it is wanted after so long. */
const DEFAULT_LIFETIME_MS = 30 * DAY_MS

interface FirstValues {
  readonly nowMs: number
  readonly methods: readonly LinkMethod[]
  /** The store's own, else of its last link or payment. */
  readonly notificationUrl: string
  /** The store's. */
  readonly language: string
  /** That the store offers. */
  readonly installmentsMax: number
}

/** What stands in a form that nobody has filled in. */
export function emptyLink(first: FirstValues): TypedLink {
  const { nowMs, methods, language, notificationUrl, installmentsMax } = first
  const dayOf = (ms: number) => csvTime(ms).slice(0, 10)
  return {
    amount: '',
    description: '',
    reference: `link-${dayOf(nowMs)}-${randomBytes(3).toString('hex')}`,
    methods: methods.join(' '),
    installments: String(installmentsMax),
    usage: LINK_USAGES[0],
    'expires-at': `${dayOf(nowMs + DEFAULT_LIFETIME_MS)}T23:59`,
    language,
    'success-url': '',
    'notification-url': notificationUrl,
  }
}

/** @param methods - Those that the form offers: each is a box of its own. */
export function readLink(form: Form, methods: readonly LinkMethod[]): TypedLink {
  const fields = LINK_FIELDS.map((name) => [name, (form.get(name) ?? '').trim()] as const)
  const chosen = methods.filter((method) => form.has(methodBox(method)))
  return { ...(Object.fromEntries(fields) as TypedLink), methods: chosen.join(' ') }
}

/** The name of the box that chooses a method. */
export function methodBox(method: LinkMethod): string {
  return `method-${method}`
}

export function chosenMethods({ methods }: TypedLink): readonly LinkMethod[] {
  return methods.split(' ').filter((method) => method !== '')
}

/** As `POST /payment-links` takes it; what is not filled in is absent. */
export function linkBody(typed: TypedLink): Readonly<Record<string, unknown>> {
  const { amount, installments } = typed
  const centavos = readAmount(amount)
  const given = Object.entries(typed).filter(([, text]) => text !== '')
  return {
    ...Object.fromEntries(given),
    // What cannot be read is no number for the API, either.
    ...(amount !== '' && { amount: centavos === undefined ? '?' : formatAmount(centavos) }),
    methods: chosenMethods(typed),
    ...(installments !== '' && { installments: Number(installments) }),
    ...(typed['expires-at'] !== '' && { 'expires-at': timestampOf(typed['expires-at']) }),
  }
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** A time in Brasília, three hours behind UTC all year. */
function timestampOf(typed: string): string {
  return LOCAL_TIME.test(typed) ? `${typed}:00.0-03:00` : typed
}

/** The field that a failure is about; undefined for one of no field of the form. */
export function fieldOf({ property = '' }: Failure): LinkField | undefined {
  const name = property.replace(/\[\d+\]$/, '')
  return LINK_FIELDS.find((known) => known === name)
}
