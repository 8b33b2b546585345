import type { Charge, Metadata, TransactionRequest } from '@cofre/contracts'
import { z } from 'zod'
import { isOrderOf } from './order-fingerprint.js'
import type { Transaction } from './transaction.js'

const storedRequestSchema = z.object({
  charge: z
    .array(z.object({ 'payment-info': z.object({ capture: z.boolean().optional() }).optional() }))
    .optional(),
  transaction: z
    .object({
      'redirect-urls': z.object({ success: z.string(), fail: z.string() }).optional(),
      metadata: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  /** Absent once erased. */
  payer: z.object({ name: z.string(), ip: z.string().optional() }).optional(),
})

/** The fields that are read of a stored request. */
export type StoredRequest = Readonly<z.output<typeof storedRequestSchema>>

/** The request of a transaction, of any release. */
export function storedRequest({ requestJson }: Pick<Transaction, 'requestJson'>): StoredRequest {
  return storedRequestSchema.parse(JSON.parse(requestJson))
}

/** Empty once erased. */
export function payerNameOf(transaction: Pick<Transaction, 'requestJson'>): string {
  return storedRequest(transaction).payer?.name ?? ''
}

/** The store's own names and texts; empty without any, and once the payer is erased. */
export function metadataOf(transaction: Pick<Transaction, 'requestJson'>): Metadata {
  return storedRequest(transaction).transaction?.metadata ?? {}
}

const NAMES_CAPTURE = '"capture":false'

/** True if the order is only to be authorized, and captured later. Parses no other request. */
export function isCapturedLater(transaction: Pick<Transaction, 'requestJson'>): boolean {
  if (!transaction.requestJson.includes(NAMES_CAPTURE)) return false
  return storedRequest(transaction).charge?.[0]?.['payment-info']?.capture === false
}

/**
 * The request as it may be stored: without tokens, saved-card code, card or its authentication.
 * Release 0.2 compares it with its own, so its form must stay.
 */
export function storableRequest(request: TransactionRequest): string {
  const charge = request.charge.map(({ 'payment-info': info, ...rest }) => ({
    ...rest,
    'payment-info': info && {
      installments: info.installments,
      save: info.save,
      // Present only if the order differs from those of releases without it.
      ...(info.capture === false && { capture: false }),
    },
  }))
  // JSON has no bigint; only the digits of prices are bigints.
  const cart = request.cart.map(({ 'unit-price': { digits, scale }, ...rest }) => ({
    ...rest,
    'unit-price': { digits: digits.toString(), scale },
  }))
  return JSON.stringify({ ...request, charge, cart })
}

export function onlyCharge({ charge: [charge] }: TransactionRequest): Charge {
  if (charge === undefined) throw new Error('a valid request has one charge')
  return charge
}

/** A validated request, and the body that it was read from; absent for a link's payer. */
export interface ReceivedOrder {
  readonly request: TransactionRequest
  readonly received?: unknown
}

/** True if a request is for the same order as an earlier one with its reference. */
export function isSameOrder(
  { orderFingerprint, requestJson }: Transaction,
  { request, received }: ReceivedOrder,
): boolean {
  const isComparable = orderFingerprint !== undefined && received !== undefined
  const isSame = isComparable ? isOrderOf(received, orderFingerprint) : undefined
  return isSame ?? requestJson === storableRequest(request)
}
