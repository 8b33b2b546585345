// Header rules of sections 5, 7.1 and 9 of the specification: from a header's text to its error.
import type { ErrorName, InterfaceVersion } from '@cofre/contracts'

/** What an interface requires of the Accept header. */
export interface AcceptedMediaType {
  /** The media type's vendor segment. */
  readonly vendor: string
  readonly version: InterfaceVersion
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Undefined when one of the media types is the interface's; otherwise the error of the first. */
export function acceptFailure(
  header: string | undefined,
  accepted: AcceptedMediaType,
): ErrorName | undefined {
  if (header === undefined || header.trim() === '') return 'header_accept_missing'
  const failures = header.split(',').map((range) => mediaRangeFailure(range.trim(), accepted))
  return failures.includes(undefined) ? undefined : failures[0]
}

/** Judges one media range, in the order application, format, charset, version. */
function mediaRangeFailure(
  range: string,
  { vendor, version }: AcceptedMediaType,
): ErrorName | undefined {
  const [essence = '', ...parameters] = range.split(';').map((part) => part.trim())
  const [type, subtype, ...rest] = essence.split('/')
  if (type === '' || (subtype === undefined && TOKEN.test(essence)))
    return 'header_accept_application_missing'
  if (type === undefined || subtype === undefined || rest.length > 0)
    return 'header_accept_bad_format'
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return 'header_accept_bad_format'

  const [application = '', format] = subtype.split('+')
  const tree = `vnd.${vendor}`
  if (
    type.toLowerCase() !== 'application' ||
    !(application === tree || application.startsWith(`${tree}.`))
  ) {
    return 'header_accept_application_invalid'
  }
  if (format === undefined || format === '') return 'header_accept_format_missing'
  if (format.toLowerCase() !== 'json') return 'header_accept_format_invalid'
  const charset = charsetOf(parameters)
  if (charset === undefined) return 'header_accept_charset_missing'
  if (charset !== 'utf-8') return 'header_accept_charset_invalid'
  return application === `${tree}.${version}` ? undefined : 'header_accept_version_invalid'
}

/** Only JSON in UTF-8 is taken. */
export function contentTypeFailure(header: string | undefined): ErrorName | undefined {
  if (header === undefined || header.trim() === '') return 'header_contenttype_missing'
  const [essence = '', ...parameters] = header.split(';').map((part) => part.trim())
  const isJson =
    essence.toLowerCase() === 'application/json' && (charsetOf(parameters) ?? 'utf-8') === 'utf-8'
  return isJson ? undefined : 'header_contenttype_not_accepted'
}

const LANGUAGES = ['en-us', 'pt-br', 'pt-pt', 'es-es', 'tr-tr']

/** The search's language; absent means en-US. A bare language or `*` is any of its variants. */
export function acceptLanguageFailure(header: string | undefined): ErrorName | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const ranges = header.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())
  const isKnown = (range: string): boolean =>
    range === '*' ||
    LANGUAGES.some((language) => language === range || language.startsWith(`${range}-`))
  return ranges.some(isKnown) ? undefined : 'header_language_not_accepted'
}

function charsetOf(parameters: readonly string[]): string | undefined {
  for (const parameter of parameters) {
    const [name = '', ...value] = parameter.split('=')
    if (name.trim().toLowerCase() !== 'charset') continue
    const charset = /^"?([^"]*)"?$/.exec(value.join('=').trim())?.[1] ?? ''
    if (charset !== '') return charset.toLowerCase()
  }
  return undefined
}
