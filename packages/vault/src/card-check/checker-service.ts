import type { CardCheck, Deadline, Decline } from '@cofre/contracts'
import { ACQUIRER_NEEDS_MS } from '@cofre/work'
import {
  type Acquirer,
  type BrandIds,
  type CheckRequest,
  checkOutcomeOf,
  isNotDone,
} from '@cofre/provider-kit/card'
import { callAcquirer, nameOf } from '../authorization/acquirer-call.js'
import type { ChargingDeps } from '../authorization/charging-deps.js'
import type { StoredCheck } from './card-check.js'

/** An account that may check a card; its acquirer may have no check. */
export interface Checker {
  /** Undefined if the acquirer is simulated. */
  readonly accountId: string | undefined
  readonly acquirer: () => Promise<Pick<Acquirer, 'check'>>
}

/** The store's accounts for a card, in the sequence in which they are asked. */
export async function checkersFor(
  { accountsOf, played }: ChargingDeps,
  { environment, merchantId, card }: StoredCheck,
): Promise<readonly Checker[] | 'no_account'> {
  const accountsFor = await accountsOf({ environment, merchantId })
  const route = await accountsFor({ brand: card.brand, installments: 1 })
  const simulated = played[environment]
  if (route === undefined && simulated !== undefined)
    return [{ accountId: undefined, acquirer: () => Promise.resolve(simulated) }]
  const { accounts = [] } = route ?? {}
  if (accounts.length === 0) return 'no_account'
  return accounts.map(({ id, acquirer }) => ({ accountId: id, acquirer }))
}

interface CheckOrder extends Pick<CheckRequest, 'card'> {
  readonly check: StoredCheck
  readonly payer: CardCheck['payer']
  readonly deadline: Deadline
}

export type CheckResult =
  | { readonly outcome: 'approved'; readonly ids: BrandIds }
  | { readonly outcome: 'declined'; readonly decline: Decline }
  | { readonly outcome: 'unknown' }

/**
 * Asks one account after another, until one has checked the card, or may have. Otherwise the reason
 * why none has.
 */
export async function checkAtAccounts(
  deps: ChargingDeps,
  checkers: readonly Checker[],
  asked: CheckOrder,
): Promise<CheckResult | 'check_not_supported' | 'acquirer_unavailable'> {
  let isUnreached = false
  let calls = 0
  for (const checker of checkers) {
    if (calls > 0 && !asked.deadline.allows(ACQUIRER_NEEDS_MS)) break
    const answer = await requestCheck(deps, checker, asked)
    if (answer === 'none') continue
    calls++
    if (answer.kind === 'done') return answer.value
    if (!isNotDone(answer)) return { outcome: 'unknown' }
    if (answer.kind === 'not-sent') isUnreached = true
  }
  return isUnreached ? 'acquirer_unavailable' : 'check_not_supported'
}

async function requestCheck(
  deps: ChargingDeps,
  { accountId, acquirer }: Checker,
  { check, card, payer }: CheckOrder,
) {
  const { installation, log } = deps
  const { environment, code } = check
  const facts = { environment, check: code, account: accountId }
  let opened: Pick<Acquirer, 'check'>
  try {
    opened = await acquirer()
  } catch (error) {
    log.error({ ...facts, error: nameOf(error) }, 'an account cannot be used')
    return { kind: 'not-sent', cause: 'no-connection', detail: 'no account' } as const
  }
  const call = opened.check
  if (call === undefined) return 'none'
  const { brand } = check.card
  const key = { installation, environment, transactionCode: String(code) }
  const request: CheckRequest = { key, card, brand, payer }
  const answer = await callAcquirer(deps, facts, () => call(request))
  if ('detail' in answer && !('unanswered' in answer))
    log.warn({ ...facts, error: answer.detail }, `an acquirer answered ${checkOutcomeOf(answer)}`)
  return answer
}
