import {
  type Answer,
  type DoneAnswer,
  type NotSentAnswer,
  SECOND_MS,
  Secret,
  type UnknownAnswer,
  decided,
} from '@cofre/contracts'
import type { CallAnswer, CallPriority, OutboundClient } from '@cofre/provider-kit/outbound'
import type { z } from 'zod'
import { concluded, unknown } from '@cofre/provider-kit/card'
import type { CieloAccount } from './cielo-account.js'
import { ABSENT_CODES, type CieloError, type ErrorReading, cieloError } from './cielo-refusal.js'
import { type Sale, inLowerCase, saleSchema, salesSchema } from './cielo-wire.js'

/** The result of one call, as if it were the first. */
export type CieloAnswer<T> = Exclude<Answer<T>, { kind: 'refused' }> | CieloError

export interface CieloCall<T> {
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** `/1/sales/…` */
  readonly path: string
  readonly body?: object
  readonly answer: z.ZodType<T>
  readonly errors?: ErrorReading['errors']
  readonly secrets?: readonly Secret<string>[]
  readonly priority?: CallPriority | undefined
}

export type CieloCaller = <T>(call: CieloCall<T>) => Promise<CieloAnswer<T>>

/** The time limit of a look-up; a payment request has the client's own limit. */
export const READ_MS = 3 * SECOND_MS

export interface CieloClients {
  readonly reader: OutboundClient
  readonly writer: OutboundClient
}

export function createCieloCaller(
  { merchantId, merchantKey, hosts }: CieloAccount,
  { reader, writer }: CieloClients,
): CieloCaller {
  return async ({ operation, method, path, body, answer, errors, secrets = [], priority }) => {
    const isRead = method === 'GET'
    const sent = await (isRead ? reader : writer).send({
      operation,
      method,
      url: `${isRead ? hosts.read : hosts.write}${path}`,
      headers: { merchantid: merchantId, merchantkey: merchantKey },
      ...(body !== undefined && {
        body: { contentType: 'application/json', text: new Secret(JSON.stringify(body)) },
      }),
      secrets,
      ...(priority !== undefined && { priority }),
    })
    return answerOf(sent, answer, { secrets, errors })
  }
}

function answerOf<T>(
  sent: CallAnswer,
  answer: z.ZodType<T>,
  reading: ErrorReading,
): CieloAnswer<T> {
  const reply = concluded(sent, undefined)
  if (reply.kind === 'not-sent' || reply.kind === 'unknown') return reply
  if (reply.kind === 'done') {
    const { body } = reply.value
    const value = body.kind === 'json' ? inLowerCase(body.value) : undefined
    const parsed = answer.safeParse(value)
    if (parsed.success) return decided(parsed.data)
    const fields = parsed.error.issues.map(({ path }) => path.join('.')).slice(0, 5)
    return unknown(`not understood: ${fields.join(', ')}`)
  }
  const { status, body } = reply
  const error = cieloError(body, reading)
  // A gateway's error page for an unknown path does not show that the payment is absent.
  const isAbsent = status === 404 && body.kind !== 'unreadable'
  if (isAbsent || (error !== undefined && ABSENT_CODES.includes(error.code)))
    return { kind: 'absent' }
  return error ?? unknown(`status ${status} without a reason`)
}

/** Cielo's records; empty if it has no such payment. */
export type SalesAnswer = DoneAnswer<readonly Sale[]> | NotSentAnswer | UnknownAnswer

const SALES_MAX = 3

export async function readSale(
  call: CieloCaller,
  paymentId: string,
  priority?: CallPriority,
): Promise<SalesAnswer> {
  const found = await call({
    operation: 'sale.find',
    method: 'GET',
    path: `/1/sales/${encodeURIComponent(paymentId)}`,
    answer: saleSchema,
    priority,
  })
  if (found.kind === 'done') return decided([found.value])
  return found.kind === 'absent' ? decided([]) : nothingLearned(found)
}

/** All sales under one MerchantOrderId: several attempts may have arrived. */
export async function readSales(
  call: CieloCaller,
  reference: string,
  priority?: CallPriority,
): Promise<SalesAnswer> {
  const listed = await call({
    operation: 'sales.find',
    method: 'GET',
    path: `/1/sales?merchantOrderId=${reference}`,
    answer: salesSchema,
    priority,
  })
  if (listed.kind === 'absent') return decided([])
  if (listed.kind !== 'done') return nothingLearned(listed)
  if (listed.value.length > SALES_MAX) return unknown('too many payments under one order')
  const sales: Sale[] = []
  for (const paymentId of listed.value) {
    const read = await readSale(call, paymentId, priority)
    if (read.kind !== 'done') return read
    if (read.value.length === 0) return unknown('a listed payment cannot be read')
    sales.push(...read.value)
  }
  return decided(sales)
}

function nothingLearned(
  answer: CieloError | NotSentAnswer | UnknownAnswer,
): NotSentAnswer | UnknownAnswer {
  return answer.kind === 'refused' ? unknown(answer.detail) : answer
}
