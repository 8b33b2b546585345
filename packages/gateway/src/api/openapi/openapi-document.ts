import {
  DECLINE_REASONS,
  type ErrorName,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  ONE_CENT,
  PAGE_RESULTS_MAX,
  REFERENCE,
  TRANSACTION_CODE,
  errorBodySchema,
  errorCatalogue,
  mediaType,
} from '@cofre/contracts'
import { explainDecline } from '@cofre/contracts/declines'
import {
  NEVER_RETURNED,
  documentsAt,
  explain,
  explainParameter,
  namingPages,
} from '@cofre/contracts/errors'
import { BODIES, type OperationBodies } from './operation-bodies.js'
import recorded from './openapi-examples.json' with { type: 'json' }
import { joined, requestSchema, responseSchema } from './openapi-schema.js'
import texts from './openapi-texts.json' with { type: 'json' }

export interface Operation extends OperationBodies {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Names of parameters in openapi-texts.json, or parameters as the document shows them. */
  readonly parameters: readonly (string | ParameterObject)[]
  /** HTTP status of success, with its headers. */
  readonly status: number
  readonly headers?: object
  /** True if the response is a stream of server-sent events that carry this body. */
  readonly isStream?: boolean
  /** Errors beside those of signature, headers, parameters and body; a final `*` marks a prefix. */
  readonly errors: readonly string[]
  /** By name. */
  readonly examples?: Readonly<Record<string, OperationExample>>
}

/** A complete request and its response, recorded by a test in the sandbox. */
export interface OperationExample extends RequestExample {
  readonly status: number
  readonly answer: unknown
}

interface RequestExample {
  readonly summary: string
  /** Method and target. */
  readonly request: string
  readonly body?: unknown
}

/** An OpenAPI parameter. */
interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: object
  readonly description: string
}

export const OPERATIONS: readonly Operation[] = (
  Object.keys(BODIES) as (keyof typeof BODIES)[]
).map((id) => ({ id, ...texts.operations[id], ...BODIES[id], examples: recorded[id] }))

/** Origins and media vendor of the API. */
export interface DocumentOptions {
  readonly mediaVendor: string
  readonly publicUrl: string
  /** Origin of the pages that errors link to; undefined if unknown. */
  readonly docsOrigin?: string | undefined
  /** Operations that are served beside the API. */
  readonly operations?: readonly Operation[]
}

/** The OpenAPI 3.1 document of the API, from the definitions that the API itself uses. */
export function openApiDocument({
  mediaVendor,
  publicUrl,
  docsOrigin,
  ...rest
}: DocumentOptions): object {
  const { openapi, info, security, securitySchemes } = texts
  const operations = [...OPERATIONS, ...(rest.operations ?? [])]
  const paths: Record<string, Record<string, object>> = {}
  const schemas: Record<string, object> = { Errors: responseSchema('Errors', errorBodySchema) }
  for (const operation of operations) {
    const { path, method, request, response } = operation
    paths[path] = { ...paths[path], [method]: operationObject(operation, mediaVendor) }
    if (request !== undefined) schemas[request[0]] = requestSchema(...request)
    schemas[response[0]] = responseSchema(...response)
  }
  const folder = docsOrigin === undefined ? undefined : documentsAt(docsOrigin, 'en')
  const codes = Object.entries(errorCatalogue).map(([name, { code, status, key = name }]) => {
    const { meaning, advice } = explain(name as ErrorName, 'en')
    return { code, status, description: key, meaning, advice: namingPages(advice, folder) }
  })
  const declines = DECLINE_REASONS.map((reason) => ({ reason, ...explainDecline(reason, 'en') }))
  const used = new Set(['Notifications', ...operations.map(({ tag }) => tag)])
  return {
    openapi,
    info,
    servers: [{ url: publicUrl }],
    tags: texts.tags.filter(({ name }) => used.has(name)),
    security,
    paths,
    webhooks: webhooks(),
    components: { schemas, securitySchemes },
    'x-error-codes': codes,
    'x-decline-reasons': declines,
  }
}

/** The notifications that stores receive, with examples of the bodies. */
function webhooks(): object {
  const sent: Readonly<Record<string, Readonly<Record<string, RequestExample>>>> = recorded
  return Object.fromEntries(
    Object.entries(texts.webhooks).map(([id, { post }]) => {
      const examples = examplesOf(sent[id], ({ body }) => body)
      const { requestBody } = post
      const content = Object.entries(requestBody.content).map(
        ([mime, body]) => [mime, { ...body, ...examples }] as const,
      )
      const described = { ...requestBody, content: Object.fromEntries(content) }
      return [id, { post: { ...post, requestBody: described } }]
    }),
  )
}

function operationObject(operation: Operation, vendor: string): object {
  const { id, tag, summary, description, version, request, status, headers, response } = operation
  const content = (mime: string, schema: string, examples: object): object => ({
    [mime]: { schema: { $ref: `#/components/schemas/${schema}` }, ...examples },
  })
  const type = version === undefined ? 'application/json' : mediaType(vendor, version)
  const successType = operation.isStream === true ? 'text/event-stream' : type
  const codes = codesByStatus(operation)
  const failures: Readonly<Record<string, string>> = texts.failures
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: operation.parameters.map((parameter) =>
      typeof parameter === 'string' ? parameterObject(parameter, operation.path) : parameter,
    ),
    ...(request !== undefined && {
      requestBody: {
        required: true,
        content: content('application/json', request[0], requestExamples(operation)),
      },
    }),
    responses: Object.fromEntries([
      [
        status,
        {
          description: 'Done',
          headers: headersOf(operation, headers),
          content: content(successType, response[0], answerExamples(operation, status)),
        },
      ],
      ...[...codes].map(([failure, answered]) => [
        failure,
        {
          description: `${failures[failure]}: ${inRanges(answered)}`,
          headers: headersOf(operation, failure === UNAVAILABLE ? texts.retryAfter : undefined),
          content: content(type, 'Errors', answerExamples(operation, failure)),
          'x-error-codes': answered,
        },
      ]),
    ]) as object,
  }
}

/** In the sandbox, every answer to a body names its unread fields. */
function headersOf(
  { request, version }: Operation,
  headers: object | undefined,
): object | undefined {
  const isRead = request !== undefined && version !== undefined
  return isRead ? { ...texts.unknownFields, ...headers } : headers
}

/** Bodies of successful requests, to start a form with. */
function requestExamples({ status, examples }: Operation): object {
  return examplesOf(examples, (example) => (example.status === status ? example.body : undefined))
}

function answerExamples({ examples }: Operation, status: number): object {
  return examplesOf(examples, (example) => (example.status === status ? example.answer : undefined))
}

function examplesOf<Example extends RequestExample>(
  examples: Readonly<Record<string, Example>> = {},
  valueOf: (example: Example) => unknown,
): object {
  const shown = Object.entries(examples).flatMap(([name, example]) => {
    const { summary, request } = example
    const value = valueOf(example)
    return value === undefined ? [] : [[name, { summary, description: request, value }] as const]
  })
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }
}

const UNAVAILABLE = 503

/** The errors that an operation may return. */
export function errorsOf({ version, parameters, request, errors }: Operation): Set<ErrorName> {
  const { signed, interface: ofInterface, body, read, ...ofHeaders } = texts.errors
  const byHeader: Readonly<Record<string, readonly string[]>> = ofHeaders
  const wanted = [
    ...signed,
    ...(version === undefined ? [] : ofInterface),
    ...(request === undefined ? [] : body.slice(version === undefined ? 1 : 0)),
    ...(request === undefined || version === undefined ? [] : read),
    ...parameters.flatMap((parameter) => byHeader[nameOf(parameter)] ?? []),
    ...errors,
  ]
  const ofFields = request?.[1].fields.flatMap(({ rules }) => [rules.missing, rules.invalid]) ?? []
  const derived = [...ofFields, ...parameters.flatMap((parameter) => errorsOfParameter(parameter))]
  return new Set([
    ...wanted.flatMap(matching),
    ...derived.filter((name) => !NEVER_RETURNED.includes(name)),
  ])
}

const NAMES = Object.keys(errorCatalogue) as ErrorName[]

/** The error with this name, or all errors with a prefix that ends with `*`. */
function matching(wanted: string): ErrorName[] {
  const names = NAMES.filter((name) =>
    wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted,
  )
  if (names.length === 0) throw new Error(`no error is called ${wanted}`)
  return names
}

/** Errors of a parameter's value begin with the parameter's name. */
function errorsOfParameter(parameter: string | ParameterObject): ErrorName[] {
  const beginning = `${nameOf(parameter).replaceAll('-', '_')}_`
  return NAMES.filter(
    (name) => name.startsWith(beginning) && errorCatalogue[name].status === BAD_REQUEST,
  )
}

const BAD_REQUEST = 400

function nameOf(parameter: string | ParameterObject): string {
  return typeof parameter === 'string' ? parameter : parameter.name
}

/** The codes of an operation's errors by their HTTP status, both in order. */
function codesByStatus(operation: Operation): Map<number, number[]> {
  const definitions = [...errorsOf(operation)]
    .map((name) => errorCatalogue[name])
    .toSorted((one, other) => one.status - other.status || one.code - other.code)
  const codes = new Map<number, number[]>()
  for (const [status, ofStatus] of Map.groupBy(definitions, ({ status }) => status))
    codes.set(status, [...new Set(ofStatus.map(({ code }) => code))])
  return codes
}

/** `10001-10003, 10201`. */
function inRanges(codes: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const code of codes) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] + 1 === code) last[1] = code
    else ranges.push([code, code])
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ')
}

/** Bounds from the contracts. */
const BOUNDS: Readonly<Record<string, object>> = {
  amount: { minimum: ONE_CENT / 100 },
  transactionCode: { pattern: TRANSACTION_CODE.source },
  reference: { pattern: REFERENCE.source },
  'max-page-results': { maximum: PAGE_RESULTS_MAX },
  'Idempotency-Key': { maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
}

function parameterObject(name: string, path: string): object {
  const known: Readonly<Record<string, ParameterText>> = texts.parameters
  const text: ParameterText = known[name] ?? texts.date
  const { schema, description, ...rest } = text
  const place = rest.in ?? (path.includes(`{${name}}`) ? 'path' : 'query')
  // A parameter that shares its name with another one has only its own text.
  const isShared = rest.name !== undefined
  const isExplained = (place === 'query' && !isShared) || description === undefined
  const sentences = [description, isExplained ? explainParameter(name, 'en') : undefined]
  return {
    name,
    required: false,
    ...rest,
    in: place,
    schema: { ...schema, ...BOUNDS[name] },
    description: joined(sentences),
  }
}

interface ParameterText {
  /** The name in requests, if another parameter has the same name there. */
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly schema: object
  readonly description?: string
}
