import { SECOND_MS, Secret } from '@cofre/contracts'
import type { CallOutcome, CallPriority, OutboundClient } from '@cofre/outbound'
import type { NotDone, UnknownOutcome } from '@cofre/vault'
import type { z } from 'zod'
import { concluded, unknown } from '../model/call-conclusion.js'
import type { CieloAccount } from './cielo-account.js'
import { ABSENT_CODES, type CieloError, cieloError } from './cielo-refusal.js'
import { type Sale, inLowerCase, saleSchema, salesSchema } from './cielo-wire.js'

/** What became of one call, were it the first of its kind. */
export type CieloResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Cielo knows no such payment. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly error: CieloError }
  | NotDone
  | UnknownOutcome

export interface CieloCall<T> {
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** `/1/sales/…` */
  readonly path: string
  readonly body?: object
  readonly answer: z.ZodType<T>
  readonly secrets?: readonly Secret<string>[]
  readonly priority?: CallPriority | undefined
}

export type CieloCaller = <T>(call: CieloCall<T>) => Promise<CieloResult<T>>

/** How long a look may take; a request for money has the client's own bound. */
export const LOOK_MS = 3 * SECOND_MS

export interface CieloClients {
  readonly reader: OutboundClient
  readonly writer: OutboundClient
}

export function createCieloCaller(
  { merchantId, merchantKey, hosts }: CieloAccount,
  { reader, writer }: CieloClients,
): CieloCaller {
  return async ({ operation, method, path, body, answer, secrets = [], priority }) => {
    const isRead = method === 'GET'
    const outcome = await (isRead ? reader : writer).send({
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
    return resultOf(outcome, answer, secrets)
  }
}

function resultOf<T>(
  sent: CallOutcome,
  answer: z.ZodType<T>,
  secrets: readonly Secret<string>[],
): CieloResult<T> {
  const outcome = concluded(sent, undefined)
  if (outcome.kind === 'not_done' || outcome.kind === 'unknown') return outcome
  const { status, body } = outcome
  if (outcome.kind === 'accepted') {
    const value = body.kind === 'json' ? inLowerCase(body.value) : undefined
    const parsed = answer.safeParse(value)
    if (parsed.success) return { kind: 'done', value: parsed.data }
    const fields = parsed.error.issues.map(({ path }) => path.join('.')).slice(0, 5)
    return unknown(`not understood: ${fields.join(', ')}`)
  }
  const error = cieloError(body, secrets)
  // A gateway's page for a path that it does not know says nothing of the payment.
  const isAbsent = status === 404 && body.kind !== 'unreadable'
  if (isAbsent || (error !== undefined && ABSENT_CODES.includes(error.code)))
    return { kind: 'absent' }
  return error === undefined
    ? unknown(`status ${status} without a reason`)
    : { kind: 'refused', error }
}

/** What stands at Cielo; nothing where it knows no such payment. */
export type Look =
  | { readonly kind: 'sales'; readonly sales: readonly Sale[] }
  | NotDone
  | UnknownOutcome

const SALES_MAX = 3

export async function readSale(
  call: CieloCaller,
  paymentId: string,
  priority?: CallPriority,
): Promise<Look> {
  const result = await call({
    operation: 'sale.find',
    method: 'GET',
    path: `/1/sales/${encodeURIComponent(paymentId)}`,
    answer: saleSchema,
    priority,
  })
  if (result.kind === 'done') return { kind: 'sales', sales: [result.value] }
  return result.kind === 'absent' ? { kind: 'sales', sales: [] } : nothingLearned(result)
}

/** All that was made under one MerchantOrderId: several attempts may have arrived. */
export async function readSales(
  call: CieloCaller,
  reference: string,
  priority?: CallPriority,
): Promise<Look> {
  const listed = await call({
    operation: 'sales.find',
    method: 'GET',
    path: `/1/sales?merchantOrderId=${reference}`,
    answer: salesSchema,
    priority,
  })
  if (listed.kind === 'absent') return { kind: 'sales', sales: [] }
  if (listed.kind !== 'done') return nothingLearned(listed)
  if (listed.value.length > SALES_MAX) return unknown('too many payments under one order')
  const sales: Sale[] = []
  for (const paymentId of listed.value) {
    const look = await readSale(call, paymentId, priority)
    if (look.kind !== 'sales') return look
    if (look.sales.length === 0) return unknown('a payment is listed and cannot be read')
    sales.push(...look.sales)
  }
  return { kind: 'sales', sales }
}

function nothingLearned(
  result: Exclude<CieloResult<unknown>, { kind: 'done' | 'absent' }>,
): NotDone | UnknownOutcome {
  return result.kind === 'refused' ? unknown(result.error.detail) : result
}
