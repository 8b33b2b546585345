import {
  type InterfaceVersion,
  ONE_CENT,
  PAGE_RESULTS_MAX,
  TRANSACTION_CODE,
  binLookupSchema,
  cardLookupSchema,
  installmentsLookupSchema,
  refundBodySchema,
  refundRequestTable,
  searchBodySchema,
  transactionBodySchema,
  transactionRequestTable,
} from '@cofre/contracts'
import { explainParameter } from '@cofre/contracts/errors'
import type { z } from 'zod'
import { type JsonSchema, requestSchema } from './json-schema.js'

/** A query or path parameter. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required: boolean
  readonly schema: JsonSchema
  readonly description: string
}

/** One operation of the API, as the document tells it. */
export interface Operation {
  readonly id: string
  readonly method: 'get' | 'post'
  readonly path: string
  readonly tag: 'Transactions' | 'Refunds' | 'Card lookups'
  readonly summary: string
  readonly version: InterfaceVersion
  readonly parameters: readonly Parameter[]
  /** Name and schema of the body. */
  readonly request?: readonly [string, JsonSchema]
  readonly success: { readonly status: 200 | 201; readonly answer: readonly [string, z.ZodType] }
  /** HTTP statuses of failures, beside those that every operation has. */
  readonly failures: readonly number[]
}

const query = (
  name: string,
  { required = true, ...schema }: { required?: boolean; [keyword: string]: unknown },
  purpose = '',
): Parameter => ({
  name,
  in: 'query',
  required,
  schema,
  description: purpose + explainParameter(name, 'en'),
})

const country = query('country', { type: 'string', const: 'BR' })
const currency = query('currency', { type: 'string', const: 'BRL' })
const amount = query('amount', { type: 'number', minimum: ONE_CENT / 100 })
const bin = query('bin', { type: 'string', pattern: '^\\d{6}$' })

const dates = ['order', 'payment', 'last-status-change'].flatMap((date) =>
  ['initial', 'final'].map((end) =>
    query(
      `${end}-${date}-date`,
      { required: false, type: 'string' },
      'At least one initial date is needed. ',
    ),
  ),
)

const searchAnswer = ['SearchResult', searchBodySchema] as const

/** Failures of authentication, headers, load and our own, which every operation has. */
export const COMMON_FAILURES: readonly number[] = [401, 406, 429, 500, 503]

/** Every operation of the API. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'createTransaction',
    method: 'post',
    path: '/transactions',
    tag: 'Transactions',
    summary: 'Create a payment transaction',
    version: 'v2',
    parameters: [],
    request: ['TransactionRequest', requestSchema(transactionRequestTable)],
    success: { status: 201, answer: ['Transaction', transactionBodySchema] },
    failures: [400, 409, 413, 415, 422],
  },
  {
    id: 'searchTransactions',
    method: 'get',
    path: '/transactions',
    tag: 'Transactions',
    summary: 'Search transactions by date and status, oldest first',
    version: 'v1',
    parameters: [
      ...dates,
      query('status', { required: false, type: 'string' }, 'Only transactions in this status. '),
      query('page', { required: false, type: 'integer', minimum: 1 }),
      query('max-page-results', {
        required: false,
        type: 'integer',
        minimum: 1,
        maximum: PAGE_RESULTS_MAX,
      }),
    ],
    success: { status: 200, answer: searchAnswer },
    failures: [400, 415],
  },
  {
    id: 'findTransaction',
    method: 'get',
    path: '/transactions/{transactionCode}',
    tag: 'Transactions',
    summary: 'Find one transaction',
    version: 'v1',
    parameters: [
      {
        name: 'transactionCode',
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: TRANSACTION_CODE.source },
        description: "The service's identifier",
      },
    ],
    success: { status: 200, answer: searchAnswer },
    failures: [400, 404, 415],
  },
  {
    id: 'createRefund',
    method: 'post',
    path: '/refunds',
    tag: 'Refunds',
    summary: 'Start a full or partial refund',
    version: 'v2',
    parameters: [],
    request: ['RefundRequest', requestSchema(refundRequestTable)],
    success: { status: 201, answer: ['Refund', refundBodySchema] },
    failures: [400, 404, 409, 413, 415, 422],
  },
  {
    id: 'lookUpCard',
    method: 'get',
    path: '/card',
    tag: 'Card lookups',
    summary: 'Brand and installments of a card',
    version: 'v1',
    parameters: [bin, country, amount, currency],
    success: { status: 200, answer: ['CardLookup', cardLookupSchema] },
    failures: [400],
  },
  {
    id: 'lookUpBin',
    method: 'get',
    path: '/card/bin/{bin}',
    tag: 'Card lookups',
    summary: 'Brand of a card',
    version: 'v1',
    parameters: [{ ...bin, in: 'path' }],
    success: { status: 200, answer: ['BinLookup', binLookupSchema] },
    failures: [400],
  },
  {
    id: 'lookUpInstallments',
    method: 'get',
    path: '/card/installments',
    tag: 'Card lookups',
    summary: 'Installments of an amount',
    version: 'v1',
    parameters: [query('brand', { type: 'string' }), country, amount, currency],
    success: {
      status: 200,
      answer: ['InstallmentsLookup', installmentsLookupSchema],
    },
    failures: [400],
  },
]
