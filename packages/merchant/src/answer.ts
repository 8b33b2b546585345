// What an answer must at least be before it is handed on as one. An answer that is not is a broken one, never half-used.
import type {
  BinBody,
  InstallmentBody,
  RefundStatus,
  SearchBody,
  TransactionBody,
  TransactionStatus,
} from '@cofre/contracts'

/** Body of `GET /card`. */
export interface CardLookupBody {
  readonly bin: BinBody
  readonly installments: readonly InstallmentBody[]
}

/** Body of `201 Created` of `POST /refunds`. */
export interface RefundBody {
  readonly 'refund-id': string | number
}

/** Tells whether a body is the answer that was asked for. */
export type AnswerGuard<Answer> = (body: unknown) => body is Answer

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

export function isTransactionBody(body: unknown): body is TransactionBody {
  const transaction = property(body, 'transaction')
  return (
    typeof property(transaction, 'code') === 'string' &&
    typeof property(transaction, 'status') === 'string'
  )
}

export function isSearchBody(body: unknown): body is SearchBody {
  return (
    Array.isArray(property(property(body, 'transaction-result'), 'transactions')) &&
    property(body, 'metadata') !== undefined
  )
}

export function isBinAnswer(body: unknown): body is Pick<CardLookupBody, 'bin'> {
  return typeof property(property(body, 'bin'), 'brand') === 'string'
}

export function isInstallmentsAnswer(body: unknown): body is Pick<CardLookupBody, 'installments'> {
  return Array.isArray(property(body, 'installments'))
}

export function isCardLookupBody(body: unknown): body is CardLookupBody {
  return isBinAnswer(body) && isInstallmentsAnswer(body)
}

/** The sandbox's time. */
export interface SandboxTimeBody {
  /** ISO 8601, in UTC. */
  readonly now: string
  /** Seconds by which the sandbox is ahead of its machine. */
  readonly 'ahead-seconds': number
}

export function isSandboxTimeBody(body: unknown): body is SandboxTimeBody {
  return (
    typeof property(body, 'now') === 'string' && typeof property(body, 'ahead-seconds') === 'number'
  )
}

/** What the bank has reported of a transaction. */
export interface SandboxStatusBody {
  readonly 'transaction-code': string
  readonly status: TransactionStatus
}

export function isSandboxStatusBody(body: unknown): body is SandboxStatusBody {
  return (
    typeof property(body, 'transaction-code') === 'string' &&
    typeof property(body, 'status') === 'string'
  )
}

/** How a refund has ended. */
export interface SandboxRefundBody {
  readonly 'refund-id': string
  readonly 'transaction-code': string
  readonly status: RefundOutcome
}

/** How a refund may end. */
export type RefundOutcome = Exclude<RefundStatus, 'PROCESSING'>

export function isSandboxRefundBody(body: unknown): body is SandboxRefundBody {
  return typeof property(body, 'refund-id') === 'string' && isSandboxStatusBody(body)
}

export function isRefundBody(body: unknown): body is RefundBody {
  const id = property(body, 'refund-id')
  return typeof id === 'string' || typeof id === 'number'
}
