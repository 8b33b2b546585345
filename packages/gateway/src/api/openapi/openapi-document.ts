import {
  DECLINE_REASONS,
  type ErrorName,
  type FieldTable,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  type InterfaceVersion,
  ONE_CENT,
  PAGE_RESULTS_MAX,
  REFERENCE,
  TRANSACTION_CODE,
  binLookupSchema,
  cancellationBodySchema,
  cardLookupSchema,
  errorBodySchema,
  errorCatalogue,
  installmentsLookupSchema,
  interestBodySchema,
  interestChangeTable,
  linkBodySchema,
  linkListSchema,
  linkRequestTable,
  linkWithTriesSchema,
  mediaType,
  paymentBodySchema,
  paymentListSchema,
  paymentSearchTable,
  refundBodySchema,
  refundListSchema,
  refundRequestTable,
  savedCardBodySchema,
  savedCardListSchema,
  savedCardSearchTable,
  searchBodySchema,
  transactionBodySchema,
  transactionRequestTable,
} from '@cofre/contracts'
import { explainDecline } from '@cofre/contracts/declines'
import {
  NEVER_RETURNED,
  documentsAt,
  explain,
  explainParameter,
  namingPages,
} from '@cofre/contracts/errors'
import type { z } from 'zod'
import recorded from './openapi-examples.json' with { type: 'json' }
import { type RequestExample, examplesOf, webhooks } from './openapi-webhooks.js'
import { joined, requestSchema, responseSchema } from './openapi-schema.js'
import texts from './openapi-texts.json' with { type: 'json' }

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Version of the interface, which sets its header rules; undefined without header rules. */
  readonly version?: InterfaceVersion
  /** Names of parameters in openapi-texts.json, or parameters as the document shows them. */
  readonly parameters: readonly (string | ParameterObject)[]
  /** Name and fields of the body. */
  readonly request?: readonly [string, FieldTable<z.ZodType, never>]
  /** HTTP status of success, with its headers, and name and schema of the body. */
  readonly status: number
  readonly headers?: object
  readonly response: readonly [string, z.ZodType]
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

/** An OpenAPI parameter. */
interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: object
  readonly description: string
}

/** The bodies of each operation, and their names in the document. */
const BODIES: Readonly<
  Record<keyof typeof texts.operations, Pick<Operation, 'version' | 'request' | 'response'>>
> = {
  createTransaction: {
    version: 'v2',
    request: ['TransactionRequest', transactionRequestTable],
    response: ['Transaction', transactionBodySchema],
  },
  searchTransactions: { version: 'v1', response: ['SearchResult', searchBodySchema] },
  findTransaction: { version: 'v1', response: ['SearchResult', searchBodySchema] },
  createRefund: {
    version: 'v2',
    request: ['RefundRequest', refundRequestTable],
    response: ['Refund', refundBodySchema],
  },
  listPayments: { version: 'v2', response: ['PaymentList', paymentListSchema] },
  searchPayments: {
    version: 'v2',
    request: ['PaymentSearchRequest', paymentSearchTable],
    response: ['PaymentList', paymentListSchema],
  },
  findPayment: { version: 'v2', response: ['Payment', paymentBodySchema] },
  cancelPayment: { version: 'v2', response: ['Cancellation', cancellationBodySchema] },
  listRefunds: { version: 'v2', response: ['RefundList', refundListSchema] },
  searchSavedCards: {
    version: 'v2',
    request: ['SavedCardSearchRequest', savedCardSearchTable],
    response: ['SavedCardList', savedCardListSchema],
  },
  findSavedCard: { version: 'v2', response: ['SavedCard', savedCardBodySchema] },
  deleteSavedCard: { version: 'v2', response: ['SavedCard', savedCardBodySchema] },
  removeSavedCard: { version: 'v2', response: ['SavedCard', savedCardBodySchema] },
  createPaymentLink: {
    version: 'v2',
    request: ['PaymentLinkRequest', linkRequestTable],
    response: ['PaymentLink', linkBodySchema],
  },
  listPaymentLinks: { version: 'v1', response: ['PaymentLinkList', linkListSchema] },
  findPaymentLink: { version: 'v1', response: ['PaymentLinkWithTries', linkWithTriesSchema] },
  revokePaymentLink: { version: 'v2', response: ['PaymentLink', linkBodySchema] },
  lookUpCard: { version: 'v1', response: ['CardLookup', cardLookupSchema] },
  lookUpBin: { version: 'v1', response: ['BinLookup', binLookupSchema] },
  lookUpInstallments: {
    version: 'v1',
    response: ['InstallmentsLookup', installmentsLookupSchema],
  },
  findInterest: { version: 'v1', response: ['Interest', interestBodySchema] },
  changeInterest: {
    version: 'v2',
    request: ['InterestChangeRequest', interestChangeTable],
    response: ['Interest', interestBodySchema],
  },
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
  /** Default: the API of stores. */
  readonly api?: ApiDescription
}

/** One of the product's APIs. */
export interface ApiDescription {
  readonly info: object
  readonly tags: readonly { readonly name: string }[]
  readonly security: readonly object[]
  readonly securitySchemes: object
  readonly operations: readonly Operation[]
  /** Further parts of its document. */
  readonly parts?: object
}

const STORE_API: ApiDescription = {
  ...texts,
  operations: OPERATIONS,
  parts: {
    webhooks: webhooks(),
    'x-decline-reasons': DECLINE_REASONS.map((reason) => ({
      reason,
      ...explainDecline(reason, 'en'),
    })),
  },
}

/** The OpenAPI 3.1 document of the API, from the definitions that the API itself uses. */
export function openApiDocument({
  mediaVendor,
  publicUrl,
  docsOrigin,
  api = STORE_API,
  ...rest
}: DocumentOptions): object {
  const { info, security, securitySchemes, parts } = api
  const operations = [...api.operations, ...(rest.operations ?? [])]
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
  const used = new Set(['Notifications', ...operations.map(({ tag }) => tag)])
  return {
    openapi: texts.openapi,
    info,
    servers: [{ url: publicUrl }],
    tags: api.tags.filter(({ name }) => used.has(name)),
    security,
    paths,
    components: { schemas, securitySchemes },
    'x-error-codes': codes,
    ...parts,
  }
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
