import { z } from 'zod'
import { CARD_BRANDS } from '../card/brand.js'
import { type ErrorName, errorCatalogue } from '../errors/catalogue.js'
import { formatAmount } from '../value/money.js'
import * as limits from '../transaction/limits.js'
import { transactionRequestTable } from '../transaction/request.js'
import { DIRECT_TOKEN_LIFETIME_MINUTES } from '../wire/direct-token.js'
import texts from './explanations.json' with { type: 'json' }

/** The languages that errors are explained in. */
export type ExplanationLanguage = 'en' | 'pt-BR'

/** An error in words, as Markdown: links are relative to the language's folder of docs/. */
export interface Explanation {
  /** What the error means. */
  readonly meaning: string
  /** What to do about it. */
  readonly advice: string
}

/** A code of the catalogue; its HTTP status tells the causes apart where it has several. */
export interface ReturnedError {
  readonly code: number
  readonly status: number
}

/** Placeholders' values, each a list of alternatives or one value. */
type Bounds = Readonly<Record<string, readonly (string | number)[] | string | number>>
type Text = string | Readonly<Record<ExplanationLanguage, string>>

/** Errors that no request can earn; their advice says why. */
export const NEVER_RETURNED: readonly ErrorName[] = texts.neverReturned as ErrorName[]

const phrases: Readonly<Record<string, Text>> = texts.phrases
const fieldTexts: Readonly<Record<string, Text>> = texts.fields
const parameterTexts: Readonly<Record<string, Text>> = texts.parameters
const requiredWhen: Readonly<Record<string, Text>> = texts.requiredWhen
const errorTexts: Readonly<
  Record<string, Readonly<Record<ExplanationLanguage, readonly string[]>>>
> = texts.errors

/** Limits that no field's schema holds. */
const LIMITS: Bounds = {
  cardAmount: formatAmount(limits.AMOUNT_MIN['credit-card']),
  pixAmount: formatAmount(limits.AMOUNT_MIN.eft),
  otherAmount: formatAmount(limits.AMOUNT_MIN.postpay),
  oneCent: formatAmount(limits.ONE_CENT),
  purchaseLimit: formatAmount(limits.DEFAULT_PURCHASE_LIMIT),
  referenceLength: limits.REFERENCE_LENGTH_MAX,
  savedCodeLength: limits.SAVED_CODE_LENGTH,
  nameLength: limits.NAME_LENGTH_MAX,
  nameLengthWithoutCard: limits.NAME_LENGTH_MAX_WITHOUT_CARD,
  firstBirthYear: limits.FIRST_BIRTH_YEAR,
  codeDigits: limits.TRANSACTION_CODE_DIGITS_MAX,
  idempotencyKeyLength: limits.IDEMPOTENCY_KEY_LENGTH_MAX,
  searchDays: limits.SEARCH_RANGE_DAYS_MAX,
  pageResults: limits.PAGE_RESULTS_MAX,
  cardRefundDays: limits.REFUND_DAYS['credit-card'],
  otherRefundDays: limits.REFUND_DAYS.postpay,
  tokenMinutes: DIRECT_TOKEN_LIFETIME_MINUTES,
  cvvSizes: [...new Set(CARD_BRANDS.map(({ cvvSize }) => cvvSize))],
  brands: CARD_BRANDS.filter(({ accepted }) => accepted).map(({ name }) => `\`${name}\``),
}

/** Explains an error. @throws Error for an error or a placeholder without a text */
export function explain(name: ErrorName, language: ExplanationLanguage): Explanation {
  const date = /order|payment|last_status_change/.exec(name)?.[0] ?? ''
  const own = errorTexts[name] ?? errorTexts[name.replaceAll(date, '*')]
  if (own === undefined) return explainField(name, language)
  const [meaning = '', advice = ''] = own[language]
  const bounds = { date: date.replaceAll('_', '-') }
  return { meaning: fill(meaning, bounds, language), advice: fill(advice, bounds, language) }
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

/** A text that names the pages of docs/ which it linked to: for readers who are not among them. */
export function namingPages(markdown: string): string {
  return markdown.replaceAll(/\[([^\][]+)\]\(([^()#]+)(?:#[^()]*)?\)/g, '$1 (docs/$2)')
}

/** What a field of `POST /transactions` must be; undefined for one without a text. */
export function explainValue(pattern: string, language: ExplanationLanguage): string | undefined {
  const text = fieldTexts[pattern] ?? fieldTexts[pattern.replace(/^\w+\./, '')]
  const field = transactionRequestTable.fields.find((candidate) => candidate.pattern === pattern)
  return text && fill(text, boundsOf(field?.schema), language)
}

/** When an optional field of `POST /transactions` is required; undefined where never. */
export function explainRequired(
  pattern: string,
  language: ExplanationLanguage,
): string | undefined {
  const text = requiredWhen[pattern]
  return text && fill(text, {}, language)
}

/** What the value of a parameter of a query must be. */
export function explainParameter(name: string, language: ExplanationLanguage): string {
  const text = parameterTexts[name]
  if (text === undefined) throw new Error(`the parameter ${name} has no text`)
  return fill(text, {}, language)
}

/** Explains that a field, or a parameter of a query, is missing or not valid. */
function explainField(name: ErrorName, language: ExplanationLanguage): Explanation {
  const kind = name.endsWith('_missing') ? 'missing' : 'invalid'
  // Where fields share an error, the outermost explains it.
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
  const value = explainValue(pattern, language)
  return { meaning, advice: value === undefined ? send : `${send} ${value}` }
}

/** Fills placeholders from the bounds, the limits, or the phrases that texts share. */
function fill(text: Text, bounds: Bounds, language: ExplanationLanguage): string {
  const own = typeof text === 'string' ? text : text[language]
  return own.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = bounds[key] ?? LIMITS[key]
    if (Array.isArray(value))
      return new Intl.ListFormat(language, { type: 'disjunction' }).format(value.map(String))
    if (value !== undefined) return String(value)
    const phrase = phrases[key]
    if (phrase === undefined) throw new Error(`no value for {${key}} of the text: ${own}`)
    return fill(phrase, bounds, language)
  })
}

/** The bounds that a field's schema holds: of its length or number, or the values it allows. */
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
