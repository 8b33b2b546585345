import {
  type ErrorName,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  errorBodySchema,
  errorCatalogue,
  mediaType,
} from '@cofre/contracts'
import { explain } from '@cofre/contracts/errors'
import { answerSchema } from './json-schema.js'
import { COMMON_FAILURES, OPERATIONS, type Operation } from './operations.js'

/** Where this API is, and under which vendor. */
export interface DocumentOptions {
  readonly mediaVendor: string
  readonly publicUrl: string
}

/** The OpenAPI 3.1 document of the API, from the definitions that the API itself uses. */
export function openApiDocument({ mediaVendor, publicUrl }: DocumentOptions): object {
  const paths: Record<string, Record<string, object>> = {}
  const schemas: Record<string, object> = { Errors: answerSchema(errorBodySchema) }
  for (const operation of OPERATIONS) {
    const { path, method, request, success } = operation
    paths[path] = { ...paths[path], [method]: operationObject(operation, mediaVendor) }
    if (request !== undefined) schemas[request[0]] = request[1]
    schemas[success.answer[0]] = answerSchema(success.answer[1])
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cofre payment API',
      version: '1.0.0',
      summary: 'Card, boleto, PIX and wallet payments in Brazil',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'Transactions', description: 'Create, find and search payments' },
      { name: 'Refunds', description: 'Send money back' },
      { name: 'Card lookups', description: 'Brands and installments' },
    ],
    security: [{ signature: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            '`<store id>:<hex HMAC-SHA256>` over the path with its query, followed by the digest of the body',
        },
      },
    },
    'x-error-codes': Object.entries(errorCatalogue).map(([name, { code, status, key = name }]) => ({
      code,
      status,
      description: key,
      ...explain(name as ErrorName, 'en'),
    })),
  }
}

function operationObject(operation: Operation, vendor: string): object {
  const { id, tag, summary, version, parameters, request, success, failures } = operation
  const type = mediaType(vendor, version)
  const content = (mime: string, schema: string): object => ({
    [mime]: { schema: { $ref: `#/components/schemas/${schema}` } },
  })
  const statuses = [...COMMON_FAILURES, ...failures].toSorted((a, b) => a - b)
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: [
      ...parameters,
      ...(request === undefined ? [] : [IDEMPOTENCY_KEY]),
      ...(tag === 'Card lookups' || request !== undefined ? [] : [ACCEPT_LANGUAGE]),
    ],
    ...(request !== undefined && {
      requestBody: { required: true, content: content('application/json', request[0]) },
    }),
    responses: {
      [success.status]: {
        description: 'Done',
        ...(id === 'createRefund' && { headers: LOCATION }),
        content: content(type, success.answer[0]),
      },
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          { description: FAILURES[status] ?? 'Refused', content: content(type, 'Errors') },
        ]),
      ),
    },
  }
}

const FAILURES: Readonly<Record<number, string>> = {
  400: 'The request is wrong; every failure is told at once',
  401: 'Not signed by an active store',
  404: 'There is none',
  406: 'The Accept or Accept-Language header is not acceptable',
  409: 'Used before, or in process',
  413: 'The body is too large',
  415: 'The body is not JSON in UTF-8',
  422: 'Refused by a business rule',
  429: 'Too many requests',
  500: 'A failure of ours',
  503: 'A part of the service is unavailable; send the same request again after Retry-After',
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
  description: 'Replays the first answer for 24 hours',
}

const ACCEPT_LANGUAGE = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'en-US (default), pt-BR, pt-PT, es-ES or tr-TR',
}

const LOCATION = {
  Location: {
    description: 'Path of the refunded transaction',
    schema: { type: 'string' },
  },
}
