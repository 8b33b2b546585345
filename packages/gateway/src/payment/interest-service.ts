// Reading and changing a store's interest by its own API.
import {
  ApiError,
  type Clock,
  type Failure,
  type InterestChangeRequest,
  interestChangeTable,
  interestFacts,
} from '@cofre/contracts'
import type { InstallmentTerms } from '../model/card/installment-plan.js'
import type { InterestRefusal, StoreInterest } from '../model/card/store-interest.js'
import type { Merchant } from '../model/merchant/merchant.js'
import type { RequestNonce } from '../model/merchant/request-nonce.js'
import { accepted, refusedFields } from './unknown-field-service.js'
import type { MerchantStore } from './ports.js'

interface InterestDeps {
  readonly installmentTerms: InstallmentTerms
  readonly machineClock: Clock
  readonly merchants: MerchantStore
}

/** The cost of installments at a store. */
export interface FoundInterest {
  /** Terms of stores without their own. */
  readonly usual: InstallmentTerms
  readonly changes: StoreInterest
}

const REFUSALS: Readonly<Record<InterestRefusal, Failure>> = {
  past: { name: 'interest_invalid', property: 'from', constraint: 'invalid' },
  'too-many': { name: 'interest_changes_full' },
}

export function interestOf(
  { installmentTerms: usual }: InterestDeps,
  { interest: changes = [] }: Pick<Merchant, 'interest'>,
): FoundInterest {
  return { usual, changes }
}

/** Reads the body of `POST /interest/changes`. @throws ApiError with every failure (90511) */
export function readInterestChange(
  { machineClock }: InterestDeps,
  merchant: Merchant,
  json: unknown,
): InterestChangeRequest {
  const body = withoutNulls(json)
  const judged = interestChangeTable.validate(body, interestFacts(body, machineClock.now()))
  return accepted(judged, refusedFields(interestChangeTable, merchant, body))
}

/** An empty text is not absent here: a form without a brand would change all brands. */
function withoutNulls(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null))
}

export interface InterestChangeOrder {
  readonly request: InterestChangeRequest
  /** The request's nonce, unless it is recorded already. */
  readonly nonce: RequestNonce | undefined
}

/**
 * Changes the interest of a store at its own request.
 * @throws ApiError interest_invalid, interest_changes_full, signature_nonce_used
 */
export async function changeInterestByApi(
  deps: InterestDeps,
  { id }: Merchant,
  { request, nonce }: InterestChangeOrder,
): Promise<FoundInterest> {
  const { brand, from: fromMs, usual, 'monthly-rate-percent': monthlyRate } = request
  const terms =
    usual === true || monthlyRate === undefined
      ? null
      : { monthlyRate, interestFree: request['interest-free'] ?? 1 }
  const wanted = { brand, fromMs, terms }
  const result = await deps.merchants.changeInterestByApi(id, wanted, nonce)
  if (result === 'nonce_used') throw new ApiError('signature_nonce_used')
  if (typeof result === 'string') throw new ApiError([REFUSALS[result]])
  if (result === undefined) throw new Error('a store that has signed is there no more')
  return interestOf(deps, { interest: result })
}
