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
  cardLookupSchema,
  errorBodySchema,
  errorCatalogue,
  installmentsLookupSchema,
  mediaType,
  refundBodySchema,
  refundRequestTable,
  searchBodySchema,
  transactionBodySchema,
  transactionRequestTable,
} from '@cofre/contracts'
import { explainDecline } from '@cofre/contracts/declines'
import {
  explain,
  explainParameter,
  explainRequired,
  explainValue,
  namingPages,
} from '@cofre/contracts/errors'
import { z } from 'zod'
import texts from './openapi-texts.json' with { type: 'json' }

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
type JsonSchema = Readonly<Record<string, unknown>>

/** One operation of the API. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly version: InterfaceVersion
  readonly parameters: readonly string[]
  /** Name and schema of the body. */
  readonly request?: readonly [string, JsonSchema]
  /** HTTP status of success, with its headers, and name and schema of the body. */
  readonly status: number
  readonly headers?: object
  readonly response: readonly [string, z.ZodType]
  /** HTTP statuses of failures, beside {@link COMMON_FAILURES}. */
  readonly failures: readonly number[]
}

/** Failures of authentication, headers, load and our own, which every operation has. */
export const COMMON_FAILURES: readonly number[] = [401, 406, 429, 500, 503]

/** The bodies of each operation, and their names in the document. */
const BODIES: Readonly<
  Record<keyof typeof texts.operations, Pick<Operation, 'version' | 'request' | 'response'>>
> = {
  createTransaction: {
    version: 'v2',
    request: ['TransactionRequest', requestSchema(transactionRequestTable)],
    response: ['Transaction', transactionBodySchema],
  },
  searchTransactions: { version: 'v1', response: ['SearchResult', searchBodySchema] },
  findTransaction: { version: 'v1', response: ['SearchResult', searchBodySchema] },
  createRefund: {
    version: 'v2',
    request: ['RefundRequest', requestSchema(refundRequestTable)],
    response: ['Refund', refundBodySchema],
  },
  lookUpCard: { version: 'v1', response: ['CardLookup', cardLookupSchema] },
  lookUpBin: { version: 'v1', response: ['BinLookup', binLookupSchema] },
  lookUpInstallments: {
    version: 'v1',
    response: ['InstallmentsLookup', installmentsLookupSchema],
  },
}

/** Every operation of the API. */
export const OPERATIONS: readonly Operation[] = (
  Object.keys(BODIES) as (keyof typeof BODIES)[]
).map((id) => ({ id, ...texts.operations[id], ...BODIES[id] }))

/** Where this API is, and under which vendor. */
export interface DocumentOptions {
  readonly mediaVendor: string
  readonly publicUrl: string
}

/** The OpenAPI 3.1 document of the API, from the definitions that the API itself uses. */
export function openApiDocument({ mediaVendor, publicUrl }: DocumentOptions): object {
  const { openapi, info, tags, security, securitySchemes } = texts
  const paths: Record<string, Record<string, object>> = {}
  const schemas: Record<string, object> = { Errors: responseSchema(errorBodySchema) }
  for (const operation of OPERATIONS) {
    const { path, method, request, response } = operation
    paths[path] = { ...paths[path], [method]: operationObject(operation, mediaVendor) }
    if (request !== undefined) schemas[request[0]] = request[1]
    schemas[response[0]] = responseSchema(response[1])
  }
  const codes = Object.entries(errorCatalogue).map(([name, { code, status, key = name }]) => {
    const { meaning, advice } = explain(name as ErrorName, 'en')
    return { code, status, description: key, meaning, advice: namingPages(advice) }
  })
  const declines = DECLINE_REASONS.map((reason) => ({ reason, ...explainDecline(reason, 'en') }))
  return {
    openapi,
    info,
    servers: [{ url: publicUrl }],
    tags,
    security,
    paths,
    components: { schemas, securitySchemes },
    'x-error-codes': codes,
    'x-decline-reasons': declines,
  }
}

function operationObject(operation: Operation, vendor: string): object {
  const { id, tag, summary, version, request, status, headers, response } = operation
  const content = (mime: string, schema: string): object => ({
    [mime]: { schema: { $ref: `#/components/schemas/${schema}` } },
  })
  const type = mediaType(vendor, version)
  const failures = [...COMMON_FAILURES, ...operation.failures].toSorted((a, b) => a - b)
  const descriptions: Readonly<Record<string, string>> = texts.failures
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: operation.parameters.map((name) => parameterObject(name, operation.path)),
    ...(request !== undefined && {
      requestBody: { required: true, content: content('application/json', request[0]) },
    }),
    responses: Object.fromEntries([
      [status, { description: 'Done', headers, content: content(type, response[0]) }],
      ...failures.map((failure) => [
        failure,
        { description: descriptions[failure], content: content(type, 'Errors') },
      ]),
    ]) as object,
  }
}

/** Bounds that stand in contracts. */
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
  const isExplained = place === 'query' || description === undefined
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

function joined(sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

interface ParameterText {
  readonly in?: string
  readonly required?: boolean
  readonly schema: object
  readonly description?: string
}

/** The schema of a response's body. */
function responseSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: 'output', override: withoutSafeBounds }))
}

/** The schema of a request's body, with the error codes of each field. */
function requestSchema<Schema extends z.ZodType, Facts>({
  schema,
  fields,
  registry,
}: FieldTable<Schema, Facts>): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      withoutSafeBounds({ jsonSchema })
      const rules = registry.get(zodSchema)
      if (rules === undefined) return
      Object.assign(jsonSchema, {
        'x-error-missing': errorCatalogue[rules.missing].code,
        'x-error-invalid': errorCatalogue[rules.invalid].code,
      })
      const field = fields.find((candidate) => candidate.rules === rules)
      if (field === undefined) return
      const { pattern } = field
      const description = joined([explainValue(pattern, 'en'), explainRequired(pattern, 'en')])
      if (description !== '') Object.assign(jsonSchema, { description })
    },
  })
  return withoutDialect(json)
}

/** The bounds of JavaScript's integers say nothing about a field. */
function withoutSafeBounds({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** The document names the dialect once, for all of its schemas. */
function withoutDialect(json: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== '$schema'))
}
