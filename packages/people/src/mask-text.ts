import { decodedTarget, isCnpj, isCpf } from '@cofre/contracts'
import { maskDocument, maskEmail, maskName } from './mask.js'

/** The local part of an e-mail that may hold anything; at signs have several widths. */
const QUOTED = /"[^"]{1,64}(?:\\"[^"]{1,64}){0,2}"(?=[@＠﹫])/g
// The look behind has each run of letters read once: without it a long one takes quadratic time.
const EMAIL = /(?<![^\s@＠﹫"'<>,;:=&?/])[^\s@＠﹫"'<>,;:=&?/]+[@＠﹫][^\s@＠﹫"'<>,;:=&?/]+/g
/** With or without punctuation; whether it is one, its check digits say. */
const DOCUMENT = /(?<![\w.-])(?:[\dA-Za-z][./-]?){10,13}\d(?![\w-])/g
/** A CPF or CNPJ of digits that touches letters, and a CPF with spaces. */
const DIGITS_OF_DOCUMENT = /(?<!\d)(?:\d{14}|\d{11}|\d{3} \d{3} \d{3}[ -]\d{2})(?!\d)/g
/** Where a body names people, as the specification and shops call it. */
const OF_PEOPLE =
  /payer|customer|buyer|shipping|billing|address|phone|birth|holder|recipient|document\b|cpf|cnpj/i
const NAME = /name/i

/** A JSON body as roles see it that see no payers; what is no JSON as a text. */
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

/** A path with its query: percent-encoding hides nothing. One without payers stays as it is. */
export function maskPayersInTarget(target: string): string {
  const decoded = decodedTarget(target)
  const masked = maskPayersInText(decoded)
  return masked === decoded ? target : masked
}

function maskIfDocument(found: string): string {
  const bare = found.replaceAll(/[^\dA-Za-z]/g, '')
  return isCpf(bare) || isCnpj(bare) ? maskDocument(bare) : found
}

interface Place {
  readonly isOfPerson: boolean
  /** Of the field. */
  readonly name: string
}

function maskValue(value: unknown, { isOfPerson, name }: Place): unknown {
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
