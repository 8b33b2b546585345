// The central bank's API Pix as a judge: validates every request, response and notice of a test
// against the official document.
import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { parse } from 'yaml'

/** A request as sent, below the API's base: `/cob/abc…?revisao=1`. */
export interface JudgedRequest {
  readonly method: string
  readonly path: string
  /** The parsed JSON; undefined without a body. */
  readonly body?: unknown
}

export interface JudgedAnswer {
  readonly status: number
  readonly contentType: string | null
  /** The parsed JSON; undefined without a body. */
  readonly body?: unknown
}

/** A value in the document, with its JSON pointer. */
interface Place {
  readonly pointer: string
  readonly value: Record<string, unknown>
}

interface Operation extends Place {
  /** Parameters of the path and of the operation. */
  readonly parameters: readonly Place[]
  readonly pathValues: Readonly<Record<string, string>>
}

/** Errors that the document's description allows for every operation ("Gerais"). */
const GENERAL_ERRORS: readonly number[] = [400, 403, 404, 410, 500, 503, 504]
/** Statuses of the OAuth2 check and the rate limit before the API: the document omits them. */
const STATUSES_BEFORE_THE_API: readonly number[] = [401, 429]
const METHODS: readonly string[] = ['get', 'put', 'post', 'patch', 'delete']

const file = new URL('bacen-pix-api-2.9.0.corrected.openapi.yaml', import.meta.url)
const root = parse(readFileSync(file, 'utf8')) as Record<string, unknown>
const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false })
formats.default(ajv)
ajv.addSchema(root, 'pix-api')
// Parameters are texts: this instance converts them to numbers and booleans where the schema
// requires these.
const coercing = new Ajv({
  strict: false,
  allErrors: true,
  validateSchema: false,
  coerceTypes: true,
})
formats.default(coercing)
coercing.addSchema(root, 'pix-api')

/** Violations of the official document in a request; empty if there are none. */
export function violationsOfRequest(request: JudgedRequest): readonly string[] {
  const operation = findOperation(request)
  if (operation === undefined) return [`no operation ${request.method} ${request.path}`]
  return [...violationsOfParameters(request, operation), ...violationsOfBody(request, operation)]
}

/** Violations in the response to a request; empty if there are none. */
export function violationsOfAnswer(
  request: JudgedRequest,
  { status, contentType, body }: JudgedAnswer,
): readonly string[] {
  if (STATUSES_BEFORE_THE_API.includes(status)) return []
  const operation = findOperation(request)
  if (operation === undefined)
    return status === 404 ? [] : [`no operation ${request.method} ${request.path}`]
  const responses = child(operation, 'responses')
  const response = responses.value[status] === undefined ? undefined : child(responses, `${status}`)
  if (response === undefined && !GENERAL_ERRORS.includes(status))
    return [`status ${status} is not among ${Object.keys(responses.value).join(', ')}`]
  if (status >= 400) return violationsOfProblem(contentType, body)
  if (response?.value.content === undefined)
    return body === undefined || status === 200 ? [] : ['a body where none is foreseen']
  return violationsOfContent(response, contentType ?? '', body)
}

/** Violations in the body of a bank's notice. */
export function violationsOfNotice(body: unknown): readonly string[] {
  const content = at('#/components/requestBodies/WebhookPixBody')
  return violationsOfContent(content, 'application/json', body)
}

function violationsOfParameters(
  { path }: JudgedRequest,
  { parameters, pathValues }: Operation,
): readonly string[] {
  const query = new URL(path, 'https://bank.invalid').searchParams
  const known = new Set(parameters.map(({ value }) => String(value.name)))
  const strangers = [...query.keys()].filter((name) => !known.has(name))
  const wrong = parameters.flatMap((parameter) => {
    const name = String(parameter.value.name)
    const text = parameter.value.in === 'path' ? pathValues[name] : (query.get(name) ?? undefined)
    if (text === undefined) return parameter.value.required === true ? [`${name} is missing`] : []
    const validate = compile(coercing, child(parameter, 'schema').pointer)
    return validate(text).map((reason) => `${name}: ${reason}`)
  })
  return [...strangers.map((name) => `unknown parameter ${name}`), ...wrong]
}

function violationsOfBody({ body }: JudgedRequest, operation: Operation): readonly string[] {
  if (operation.value.requestBody === undefined)
    return body === undefined ? [] : ['a body where none is foreseen']
  return violationsOfContent(child(operation, 'requestBody'), 'application/json', body)
}

function violationsOfContent(place: Place, contentType: string, body: unknown): readonly string[] {
  const [mediaType = ''] = contentType.split(';')
  const content = child(place, 'content')
  if (content.value[mediaType] === undefined)
    return [`media type ${mediaType || 'none'}, not ${Object.keys(content.value).join(', ')}`]
  return compile(ajv, `${child(content, mediaType).pointer}/schema`)(body)
}

function violationsOfProblem(contentType: string | null, body: unknown): readonly string[] {
  if (contentType?.split(';')[0] !== 'application/problem+json')
    return [`an error of media type ${contentType ?? 'none'}`]
  return compile(ajv, '#/components/schemas/Problema')(body)
}

function compile(judge: Ajv, pointer: string): (value: unknown) => readonly string[] {
  const $ref = `pix-api${pointer}`
  const validate = judge.getSchema($ref) ?? judge.compile({ $ref })
  return (value) => {
    if (validate(value) === true) return []
    return (validate.errors ?? []).map(describe)
  }
}

function describe({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
}

function findOperation({ method, path }: JudgedRequest): Operation | undefined {
  const { pathname } = new URL(path, 'https://bank.invalid')
  const paths = at('#/paths')
  const templates = Object.keys(paths.value).filter((template) => valuesOf(template, pathname))
  // `/cob` also matches `/{pixUrlAccessToken}`: the most literal template wins.
  const [template] = templates.toSorted((one, other) => count(one, '{') - count(other, '{'))
  if (template === undefined || !METHODS.includes(method.toLowerCase())) return undefined
  const item = child(paths, template)
  if (item.value[method.toLowerCase()] === undefined) return undefined
  const operation = child(item, method.toLowerCase())
  return {
    ...operation,
    parameters: [...list(item, 'parameters'), ...list(operation, 'parameters')],
    pathValues: valuesOf(template, pathname) ?? {},
  }
}

function valuesOf(
  template: string,
  pathname: string,
): Readonly<Record<string, string>> | undefined {
  const wanted = template.split('/')
  const given = pathname.split('/').map(decodeURIComponent)
  if (wanted.length !== given.length) return undefined
  const values = wanted.map((segment, index) => [segment, given[index] ?? ''] as const)
  if (values.some(([segment, text]) => !segment.startsWith('{') && segment !== text))
    return undefined
  return Object.fromEntries(values.map(([segment, text]) => [segment.slice(1, -1), text]))
}

function list(place: Place, name: string): readonly Place[] {
  const { value, pointer } = place
  if (!Array.isArray(value[name])) return []
  return value[name].map((_, index) => at(`${pointer}/${name}/${index}`))
}

function child({ pointer }: Place, name: string): Place {
  const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1')
  return at(`${pointer}/${encodeURIComponent(escaped)}`)
}

/** The value at a pointer, with references resolved. */
function at(pointer: string): Place {
  const names = pointer.slice(2).split('/').map(decodeURIComponent)
  const value = names.reduce<unknown>((parent, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return (parent as Record<string, unknown> | undefined)?.[key]
  }, root)
  if (typeof value !== 'object' || value === null) throw new Error(`no value at ${pointer}`)
  const found = value as Record<string, unknown>
  return typeof found.$ref === 'string' ? at(found.$ref) : { pointer, value: found }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
