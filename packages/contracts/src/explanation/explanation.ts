import { z } from 'zod'
import { CARD_BRANDS, isAccepted } from '../card/brand.js'
import type { Failure } from '../errors/api-error.js'
import { type ErrorName, errorCatalogue } from '../errors/catalogue.js'
import { formatAmount } from '../value/money.js'
import * as limits from '../transaction/limits.js'
import { transactionRequestTable } from '../transaction/request.js'
import { EVENT_TYPES } from '../transaction/event.js'
import { TRANSACTION_STATUSES } from '../transaction/status.js'
import { DIRECT_TOKEN_LIFETIME_MINUTES } from '../wire/direct-token.js'
import { ADVANCE_MAX_SECONDS } from '../wire/sandbox-requests.js'
import texts from './explanations.json' with { type: 'json' }

/** Languages of the explanations. */
export type ExplanationLanguage = 'en' | 'pt-BR'

/** Explanation of an error, in Markdown. Links are relative to the language's folder of docs/. */
export interface Explanation {
  /** Cause of the error. */
  readonly meaning: string
  /** How to fix it. */
  readonly advice: string
}

/** A code of the catalogue. Its HTTP status distinguishes the causes of a shared code. */
export interface ReturnedError {
  readonly code: number
  readonly status: number
}

/** Placeholders' values, each a list of alternatives or one value. */
type Bounds = Readonly<Record<string, readonly (string | number)[] | string | number | undefined>>
type Text = string | Readonly<Record<ExplanationLanguage, string>>
type TextPair = Readonly<Record<ExplanationLanguage, readonly string[]>>

/** Errors that no request can cause; their advice explains why. */
export const NEVER_RETURNED: readonly ErrorName[] = texts.neverReturned as ErrorName[]

const phrases: Readonly<Record<string, Text>> = texts.phrases
const fieldTexts: Readonly<Record<string, Text>> = texts.fields
const parameterTexts: Readonly<Record<string, Text>> = texts.parameters
const requiredWhen: Readonly<Record<string, Text>> = texts.requiredWhen
const errorTexts: Readonly<Record<string, TextPair>> = texts.errors
const causeTexts: Readonly<Record<string, Readonly<Record<string, TextPair>>>> = texts.causes
const otherFieldTexts: Readonly<Record<string, Readonly<Record<string, Text>>>> = texts.otherFields

/** Limits that are not in a field's schema. */
const LIMITS: Bounds = {
  cardAmount: formatAmount(limits.AMOUNT_MIN['credit-card']),
  pixAmount: formatAmount(limits.AMOUNT_MIN.eft),
  otherAmount: formatAmount(limits.AMOUNT_MIN.postpay),
  oneCent: formatAmount(limits.ONE_CENT),
  purchaseLimit: formatAmount(limits.DEFAULT_PURCHASE_LIMIT),
  referenceLength: limits.REFERENCE_LENGTH_MAX,
  linkReferenceLength: limits.LINK_REFERENCE_LENGTH_MAX,
  metadataKeys: limits.METADATA_KEYS_MAX,
  metadataKeyLength: limits.METADATA_KEY_LENGTH_MAX,
  metadataValueLength: limits.METADATA_VALUE_LENGTH_MAX,
  metadataSearchKeys: limits.METADATA_SEARCH_KEYS_MAX,
  linkDays: limits.LINK_DAYS_MAX,
  installmentsMax: limits.INSTALLMENTS_MAX,
  installmentsByContract: limits.INSTALLMENTS_BY_CONTRACT_MAX,
  cardChecks: limits.CARD_CHECKS_PER_HOUR,
  savedCodeLength: limits.SAVED_CODE_LENGTH,
  nameLength: limits.NAME_LENGTH_MAX,
  nameLengthWithoutCard: limits.NAME_LENGTH_MAX_WITHOUT_CARD,
  firstBirthYear: limits.FIRST_BIRTH_YEAR,
  eventEndpoints: limits.EVENT_ENDPOINTS_MAX,
  eventDays: limits.EVENTS_KEPT_DAYS,
  eventTypes: EVENT_TYPES.map((type) => `\`${type}\``),
  codeDigits: limits.TRANSACTION_CODE_DIGITS_MAX,
  idempotencyKeyLength: limits.IDEMPOTENCY_KEY_LENGTH_MAX,
  searchDays: limits.SEARCH_RANGE_DAYS_MAX,
  searchPage: limits.SEARCH_PAGE_MAX,
  pageResults: limits.PAGE_RESULTS_MAX,
  listLimit: limits.LIST_LIMIT_MAX,
  listUsual: limits.LIST_LIMIT_USUAL,
  cardRefundDays: limits.REFUND_DAYS['credit-card'],
  otherRefundDays: limits.REFUND_DAYS.postpay,
  tokenMinutes: DIRECT_TOKEN_LIFETIME_MINUTES,
  advanceSeconds: ADVANCE_MAX_SECONDS,
  urlLength: limits.URL_LENGTH_MAX,
  statusNames: TRANSACTION_STATUSES.map((status) => `\`${status}\``),
  cvvSizes: [...new Set(CARD_BRANDS.map(({ cvvSize }) => cvvSize))],
  brands: CARD_BRANDS.filter(isAccepted).map(({ name }) => `\`${name}\``),
}

/** Explains an error. @throws Error for an error or a placeholder without a text */
export function explain(name: ErrorName, language: ExplanationLanguage): Explanation {
  const own = ownTexts(name)
  return own === undefined
    ? explainField(name, language)
    : fillPair(own, { date: dateOf(name) }, language)
}

/**
 * Explains one failure, with its cause, field and values.
 * @throws MissingTextError if the failure lacks a value that its text names
 */
export function explainFailure(failure: Failure, language: ExplanationLanguage): Explanation {
  const { name, property = '', cause = '', constraint = '', named } = failure
  const causes = causeTexts[name]
  const whole = property === '' ? causes?.body : undefined
  const isOfField = property !== '' && otherFieldTexts[name] !== undefined
  const own =
    causes?.[cause] ?? causes?.[constraint] ?? whole ?? (isOfField ? undefined : ownTexts(name))
  if (own === undefined) return explainValueOf(failure, language)
  const { mediaType, digest, ...rest } = named ?? {}
  const bounds = {
    ...rest,
    ...boundsOfFailure(failure),
    date: dateOf(name),
    accept: mediaType && fill('{acceptThis}', { mediaType }, language),
    digest: digest && fill(`{${digest}}`, {}, language),
  }
  return fillPair(own, bounds, language)
}

/** Explains a cause of an error, with a gap for each value of a request. */
export function explainCause(
  name: ErrorName,
  cause: string,
  language: ExplanationLanguage,
): Explanation {
  const own = causeTexts[name]?.[cause]
  if (own === undefined) throw new Error(`${name} has no cause ${cause}`)
  return fillPair(own, GAPS, language)
}

const GAPS: Bounds = Object.fromEntries(texts.gaps.map((key) => [key, '…']))

/** Causes of an error that have messages of their own. */
export function causesOf(name: ErrorName): readonly string[] {
  return Object.keys(causeTexts[name] ?? {})
}

/** Texts of an error that has more than the common texts of a field. */
function ownTexts(name: ErrorName): TextPair | undefined {
  const date = DATE.exec(name)?.[0] ?? ''
  return errorTexts[name] ?? errorTexts[name.replaceAll(date, '*')]
}

function fillPair(pair: TextPair, bounds: Bounds, language: ExplanationLanguage): Explanation {
  const [meaning = '', advice = ''] = pair[language]
  return { meaning: fill(meaning, bounds, language), advice: fill(advice, bounds, language) }
}

/** The date that an error of the search concerns: `last-status-change`. */
function dateOf(name: ErrorName): string {
  return (DATE.exec(name)?.[0] ?? '').replaceAll('_', '-')
}

const DATE = /order|payment|last_status_change/

/** The text names a value that the caller did not give. */
export class MissingTextError extends Error {
  constructor(placeholder: string, text: string) {
    super(`no value for {${placeholder}} of the text: ${text}`)
    this.name = 'MissingTextError'
  }
}

/** Explains a returned error as plain text; undefined for an unknown code. */
export function explainReturned(
  { code, status }: ReturnedError,
  language: ExplanationLanguage,
): string | undefined {
  const names = (Object.keys(errorCatalogue) as ErrorName[]).filter(
    (name) => errorCatalogue[name].code === code,
  )
  const name = names.find((candidate) => errorCatalogue[candidate].status === status) ?? names[0]
  if (name === undefined) return undefined
  const { meaning, advice } = explain(name, language)
  return namingPages(`${meaning} ${advice}`).replaceAll('`', '')
}

/**
 * Replaces links to pages of docs/ with the pages' addresses, for readers elsewhere.
 * @param folder - Folder of the pages: an address from {@link documentsAt}, or the repository's.
 */
export function namingPages(markdown: string, folder = 'docs/'): string {
  return markdown.replaceAll(
    PAGE_LINK,
    (_, text: string, page: string) => `${text} (${folder}${page})`,
  )
}

/** A link to a page of docs/: its text, and the page. */
export const PAGE_LINK = /\[([^\][]+)\]\(([^()#]+)(?:#[^()]*)?\)/g

/** Address of the pages that errors name, on an origin (the sandbox's), in a language. */
export function documentsAt(origin: string, language: ExplanationLanguage): string {
  return `${origin}/docs/${language === 'en' ? '' : `${language}/`}`
}

/**
 * Explains the valid values of a field; undefined for a field without a text.
 * @param name - The field's error, if it is not a field of `POST /transactions`.
 */
export function explainValue(
  pattern: string,
  language: ExplanationLanguage,
  name?: ErrorName,
): string | undefined {
  const other = name === undefined ? undefined : otherFieldTexts[name]
  if (other !== undefined) {
    const text = other[pattern]
    return text && fill(text, {}, language)
  }
  const text = fieldTexts[pattern] ?? fieldTexts[pattern.replace(/^\w+\./, '')]
  const field = transactionRequestTable.fields.find((candidate) => candidate.pattern === pattern)
  return text && fill(text, boundsOf(field?.schema), language)
}

/**
 * Condition that makes an optional field of `POST /transactions` required; undefined if none does.
 */
export function explainRequired(
  pattern: string,
  language: ExplanationLanguage,
): string | undefined {
  const text = requiredWhen[pattern]
  return text && fill(text, {}, language)
}

/** Explains the valid values of a query parameter. */
export function explainParameter(name: string, language: ExplanationLanguage): string {
  const text = parameterTexts[name]
  if (text === undefined) throw new Error(`the parameter ${name} has no text`)
  return fill(text, {}, language)
}

/** Explains that a field, or a query parameter, is missing or invalid. */
function explainField(name: ErrorName, language: ExplanationLanguage): Explanation {
  const kind = name.endsWith('_missing') ? 'missing' : 'invalid'
  // If fields share an error, the outermost explains it.
  const pattern =
    transactionRequestTable.fields.find((field) => field.pattern && field.rules[kind] === name)
      ?.pattern ?? name.slice(0, -kind.length - 1).replaceAll('_', '-')
  const meaning = fill(`{${kind}}`, { field: `\`${pattern}\`` }, language)
  if (kind === 'invalid') {
    const advice = explainValue(pattern, language) ?? explainParameter(pattern, language)
    return { meaning, advice }
  }
  if (NEVER_RETURNED.includes(name)) return { meaning, advice: fill('{optional}', {}, language) }
  const send = explainRequired(pattern, language) ?? fill('{send}', {}, language)
  const value = explainValue(pattern, language) ?? parameterTextOf(name, language)
  return { meaning, advice: value === undefined ? send : `${send} ${value}` }
}

/** Explains the fault in a field's value, and the valid values. */
function explainValueOf(failure: Failure, language: ExplanationLanguage): Explanation {
  const { name, property = '', constraint } = failure
  const pattern = property.replaceAll(/\[\d+\]/g, '[]')
  const value = valueTextOf(failure, pattern, language)
  const meaning = fill(`{${faultOf(failure)}}`, failureBounds(failure, language), language)
  if (constraint !== 'required') return { meaning, advice: value ?? explain(name, language).advice }
  const send = explainRequired(pattern, language) ?? fill('{send}', {}, language)
  return { meaning, advice: value === undefined ? send : `${send} ${value}` }
}

/** The phrase for the fault in a value. */
function faultOf({ constraint, named: { sent, type = '' } = {} }: Failure): string {
  if (constraint === 'required') return 'missing'
  if (constraint === 'type') return Object.hasOwn(phrases, type) ? 'wrongType' : 'invalid'
  const counted = COUNTED.get(`${constraint ?? ''} ${type}`)
  return counted ?? (sent === undefined ? 'invalid' : 'cannotBe')
}

const COUNTED: ReadonlyMap<string, string> = new Map([
  ['minimum string', 'tooShort'],
  ['maximum string', 'tooLong'],
  ['minimum array', 'tooFew'],
  ['maximum array', 'tooMany'],
])

function failureBounds(
  { property = '', named: { sent, type } = {} }: Failure,
  language: ExplanationLanguage,
): Bounds {
  const isKnown = type !== undefined && Object.hasOwn(phrases, type)
  return {
    field: code(property),
    sent,
    type: isKnown ? fill(`{${type}}`, {}, language) : undefined,
  }
}

/** Valid values of the failure's field, in this request. */
function valueTextOf(
  failure: Failure,
  pattern: string,
  language: ExplanationLanguage,
): string | undefined {
  const { name, allowed, minimum, named } = failure
  const bounds = boundsOfFailure(failure)
  if (allowed !== undefined)
    return fill(allowed.length === 1 ? '{only}' : '{oneOf}', bounds, language)
  // Only amounts have a bound without a count.
  if (minimum !== undefined && named?.type === undefined)
    return fill('{atLeast}', { amount: minimum }, language)
  const text = otherFieldTexts[name]?.[pattern]
  if (text !== undefined) return fill(text, bounds, language)
  return explainValue(pattern, language) ?? parameterTextOf(name, language)
}

/** Valid values of the query parameter of an error's name. */
function parameterTextOf(name: ErrorName, language: ExplanationLanguage): string | undefined {
  const parameter = name.replace(/_(?:missing|invalid)$/, '').replaceAll('_', '-')
  return Object.hasOwn(parameterTexts, parameter)
    ? explainParameter(parameter, language)
    : undefined
}

function boundsOfFailure({ minimum, maximum, allowed }: Failure): Bounds {
  return { minimum, maximum, values: allowed?.map(code) }
}

/**
 * Fills placeholders from the bounds, the limits, or shared phrases. After `R$` an amount is
 * written as in the language; elsewhere as on the wire, ready to be sent.
 */
function fill(text: Text, bounds: Bounds, language: ExplanationLanguage): string {
  const own = typeof text === 'string' ? text : text[language]
  return own.replaceAll(/\{(\w+)\}/g, (_, key: string, at: number) => {
    const value = bounds[key] ?? LIMITS[key]
    const isShown = own.startsWith(CURRENCY, at - CURRENCY.length)
    if (isShown && value !== undefined) return spelledAmount(value, language)
    if (Array.isArray(value))
      return new Intl.ListFormat(language, { type: 'disjunction' }).format(value.map(String))
    if (value !== undefined) return String(value)
    const phrase = phrases[key]
    if (phrase === undefined) throw new MissingTextError(key, own)
    return fill(phrase, bounds, language)
  })
}

const CURRENCY = 'R$ '

/** `1234.56` as `1.234,56` or `1,234.56`; other text stays unchanged. */
function spelledAmount(value: unknown, language: ExplanationLanguage): string {
  const amount = Number(value)
  if (!Number.isFinite(amount)) return String(value)
  return new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(amount)
}

/** Bounds in a field's schema: of its length or number, or the values it allows. */
function boundsOf(
  schema: z.core.$ZodType | undefined,
): Readonly<Record<string, string[] | number>> {
  if (schema instanceof z.ZodOptional) return boundsOf(schema.unwrap())
  if (schema instanceof z.ZodPipe) return boundsOf(schema.out)
  if (schema instanceof z.ZodEnum) return { values: schema.options.map(code) }
  if (schema instanceof z.ZodLiteral) return { values: [...schema.values].map(code) }
  if (schema instanceof z.ZodString)
    return { min: schema.minLength ?? 0, max: schema.maxLength ?? Infinity }
  if (schema instanceof z.ZodNumber)
    return { min: schema.minValue ?? -Infinity, max: schema.maxValue ?? Infinity }
  return {}
}

const code = (value: unknown): string => `\`${String(value)}\``
