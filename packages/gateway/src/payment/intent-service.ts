import { ApiError, type ErrorName } from '@cofre/contracts'
import type { IntentPart } from '../method/intent-part.js'
import type { PurchaseLimits } from '../model/purchase/purchase-rules.js'
import {
  type InsertedIntent,
  type IntentConflict,
  type Transaction,
  drawTransactionCode,
} from '../model/transaction/transaction.js'
import type { ReportLimit } from './decline-limit-service.js'
import type { RandomBelow, TransactionStore } from './ports.js'

/** An intent before its code is drawn. */
export type UnnumberedIntent = Omit<Transaction, 'code'>

export interface CommittedIntent extends InsertedIntent {
  readonly intent: Transaction
}

export interface Intents {
  /** @throws ApiError with the conflict: nothing is charged, the reference stays free */
  readonly commit: (
    unnumbered: UnnumberedIntent,
    parts: readonly IntentPart[],
  ) => Promise<CommittedIntent | 'reference_used'>
}

interface IntentDeps {
  readonly transactions: TransactionStore
  readonly purchaseLimits: PurchaseLimits
  readonly randomBelow: RandomBelow
  readonly reportLimit: ReportLimit
}

/** More draws than any second's traffic can need. */
const CODE_DRAWS_MAX = 20

export function createIntents(deps: IntentDeps): Intents {
  return { commit: (unnumbered, parts) => commit(deps, unnumbered, parts) }
}

type OtherConflict = Exclude<IntentConflict, 'code_taken' | 'reference_used'>

const CONFLICT_ERRORS: Readonly<Record<OtherConflict, ErrorName>> = {
  nonce_used: 'signature_nonce_used',
  link_try_ended: 'service_unavailable',
  declined_payer: 'payer_blacklisted',
  declined_address: 'payer_blacklisted',
  limit_exceeded: 'payment_exceed_limits',
  payer_blocked: 'payer_blacklisted',
  payer_blocked_by_provider: 'payer_blacklisted_by_psp',
}

async function commit(
  { transactions, purchaseLimits, randomBelow, reportLimit }: IntentDeps,
  unnumbered: UnnumberedIntent,
  parts: readonly IntentPart[],
): Promise<CommittedIntent | 'reference_used'> {
  for (let draw = 1; draw <= CODE_DRAWS_MAX; draw++) {
    const intent = { ...unnumbered, code: drawTransactionCode(unnumbered.createdAtMs, randomBelow) }
    const result = await transactions.insertIntent(intent, purchaseLimits, parts)
    if (typeof result === 'object') return { intent, ...result }
    if (result === 'code_taken') continue
    if (result === 'declined_payer') reportLimit(intent, 'payer')
    if (result === 'declined_address') reportLimit(intent, 'address')
    if (result === 'reference_used') return result
    throw new ApiError(CONFLICT_ERRORS[result])
  }
  throw new Error('no free transaction code was drawn')
}
