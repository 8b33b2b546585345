import { decodedTarget, isCnpj, isCpf } from '@cofre/contracts'
import { maskDocument, maskEmail, maskName } from './mask.js'

/** The quoted local part of an e-mail, which may contain anything; at signs have several widths. */
const QUOTED = /"[^"]{1,64}(?:\\"[^"]{1,64}){0,2}"(?=[@＠﹫])/g
// The lookbehind makes each run of letters match once: otherwise a long one takes quadratic time.
const EMAIL = /(?<![^\s@＠﹫"'<>,;:=&?/])[^\s@＠﹫"'<>,;:=&?/]+[@＠﹫][^\s@＠﹫"'<>,;:=&?/]+/g
/** With or without punctuation; the check digits decide whether it is one. */
const DOCUMENT = /(?<![\w.-])(?:[\dA-Za-z][./-]?){10,13}\d(?![\w-])/g
/** A CPF or CNPJ of digits that touches letters, and a CPF with spaces. */
const DIGITS_OF_DOCUMENT = /(?<!\d)(?:\d{14}|\d{11}|\d{3} \d{3} \d{3}[ -]\d{2})(?!\d)/g
/** Names for people and their data in bodies, from the specification and from shops. */
const OF_PEOPLE =
  /payer|customer|buyer|shipping|billing|address|phone|birth|holder|recipient|document\b|cpf|cnpj/i
const NAME = /name/i

/** A JSON body without payers, for roles that may not see them; other text is masked as text. */
export function maskPayersInJson(text: string): string {
  try {
    return JSON.stringify(maskValue(JSON.parse(text), { isOfPerson: false, name: '' }))
  } catch {
    return maskPayersInText(text)
  }
}

/** A text with its e-mails and documents masked. */
export function maskPayersInText(text: string): string {
  return text
    .replaceAll(QUOTED, (local) => `"${'*'.repeat(local.length - 1)}`)
    .replaceAll(EMAIL, maskEmail)
    .replaceAll(DOCUMENT, maskIfDocument)
    .replaceAll(DIGITS_OF_DOCUMENT, maskIfDocument)
}

/**
 * A path with its query, also masked behind percent-encoding. One without payers stays unchanged.
 */
export function maskPayersInTarget(target: string): string {
  const decoded = decodedTarget(target)
  const masked = maskPayersInText(decoded)
  return masked === decoded ? target : masked
}

function maskIfDocument(found: string): string {
  const bare = found.replaceAll(/[^\dA-Za-z]/g, '')
  return isCpf(bare) || isCnpj(bare) ? maskDocument(bare) : found
}

interface NamedField {
  readonly isOfPerson: boolean
  /** The name of the field. */
  readonly name: string
}

function maskValue(value: unknown, { isOfPerson, name }: NamedField): unknown {
  if (typeof value === 'string') {
    const masked = maskPayersInText(value)
    if (!isOfPerson || masked !== value) return masked
    return NAME.test(name) ? maskName(value) : '*'.repeat(value.length)
  }
  if (typeof value === 'number' && isOfPerson) return '*'.repeat(String(value).length)
  if (Array.isArray(value)) return value.map((each) => maskValue(each, { isOfPerson, name }))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const isPerson = isOfPerson || OF_PEOPLE.test(key)
      return [maskPayersInText(key), maskValue(each, { isOfPerson: isPerson, name: key })]
    }),
  )
}
