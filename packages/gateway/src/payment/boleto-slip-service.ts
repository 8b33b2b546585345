// A payer's pages for a boleto: our page, and the slip that its bank draws.
import { type Answer, ApiError, type Clock, type Log, MINUTE_MS } from '@cofre/contracts'
import type { PaymentMethods, ReadSlip } from '../method/payment-method.js'
import { boletoDeadlineMs } from '../model/calendar/brazilian-calendar.js'
import { slipPath } from '../model/payer-page/payer-paths.js'
import { type BoletoDetails, boletoOf } from '../model/transaction/payment-details.js'
import {
  type Transaction,
  hasBeenPaid,
  isBeingIssued,
  isUndecided,
} from '../model/transaction/transaction.js'
import { findByPublicId, payeeOf } from './payer-page-service.js'
import type { MerchantStore, TransactionStore } from './ports.js'

/** The state of a boleto for its payer; `ended`: it can never be paid any more. */
export type BoletoState = 'issuing' | 'payable' | 'paid' | 'ended'

export interface BankSlipPathDeps {
  readonly machineClock: Clock
  readonly log: Log
  readonly transactions: TransactionStore
  readonly methods: PaymentMethods
}

function boletoStateOf(
  { machineClock }: BankSlipPathDeps,
  transaction: Transaction,
  { accountId, dueDate }: Pick<BoletoDetails, 'accountId' | 'dueDate'>,
): BoletoState {
  if (hasBeenPaid(transaction)) return 'paid'
  if (!isUndecided(transaction)) return 'ended'
  // Its bank has not reported yet whether it was paid in time.
  const isLate = accountId !== undefined && machineClock.now() >= boletoDeadlineMs(dueDate)
  if (isLate) return 'ended'
  return isBeingIssued(transaction) ? 'issuing' : 'payable'
}

/** The contents of a boleto's page. */
export type BoletoSlip = Awaited<ReturnType<typeof findBoleto>>

export interface BoletoSlipDeps extends BankSlipPathDeps {
  readonly merchants: MerchantStore
}

/** The boleto behind a public address. @throws ApiError route_not_found */
export async function findBoleto(deps: BoletoSlipDeps, publicId: string) {
  const transaction = await findByPublicId(deps, publicId)
  if (transaction === undefined) throw new ApiError('route_not_found')
  const details = boletoOf(transaction)
  if (details === undefined) throw new ApiError('route_not_found')
  return {
    details,
    amountMinor: transaction.amountMinor,
    beneficiary: await payeeOf(deps, transaction),
    reference: transaction.reference,
    state: boletoStateOf(deps, transaction, details),
    bankSlipPath: await bankSlipPath(deps, transaction),
  }
}

/** The path of the slip that the bank of a boleto draws; undefined without one. Calls no bank. */
export async function bankSlipPath(
  deps: BankSlipPathDeps,
  transaction: Transaction,
): Promise<string | undefined> {
  const call = await slipCallOf(deps, transaction)
  return call && slipPath(transaction.publicId)
}

/** A public address costs its bank one call in this time, however often it is opened. */
const KEPT_MS = MINUTE_MS
/** Limits the memory for slips, because strangers can fill it. */
const KEPT_MAX = 50

interface KeptAnswer {
  readonly askedAtMs: number
  readonly answer: Promise<Answer<Uint8Array>>
}

/** Reads the bank's PDF of the boleto behind a public address, from the bank once a minute. */
export function createSlipReader(deps: BoletoSlipDeps) {
  const kept = new Map<string, KeptAnswer>()
  const ask = (publicId: string, call: ReadSlip): KeptAnswer['answer'] => {
    const nowMs = deps.machineClock.now()
    const known = kept.get(publicId)
    if (known !== undefined && nowMs < known.askedAtMs + KEPT_MS) return known.answer
    const answer = call()
    // Deleted first, so that the oldest entry of the map comes first.
    kept.delete(publicId)
    kept.set(publicId, { askedAtMs: nowMs, answer })
    const [oldest] = kept.keys()
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    return answer
  }
  /**
   * @throws ApiError route_not_found without a slip; service_unavailable if the bank has not
   * answered
   */
  return async (publicId: string): Promise<Uint8Array> => {
    const transaction = await findByPublicId(deps, publicId)
    const call = transaction && (await slipCallOf(deps, transaction))
    if (call === undefined) throw new ApiError('route_not_found')
    const answer = await ask(publicId, call)
    if (answer.kind === 'done') return answer.value
    if (answer.kind === 'absent') throw new ApiError('route_not_found')
    deps.log.warn(
      { transaction: transaction?.code, error: answer.detail },
      'a bank did not give the slip of a boleto',
    )
    throw new ApiError('service_unavailable')
  }
}

/**
 * Undefined without a slip: for other payments, before its issue, after its end. Also if the
 * credentials of the account do not open.
 */
async function slipCallOf(
  deps: BankSlipPathDeps,
  transaction: Transaction,
): Promise<ReadSlip | undefined> {
  const details = boletoOf(transaction)
  if (details?.accountId === undefined) return undefined
  const state = boletoStateOf(deps, transaction, details)
  if (state === 'issuing' || state === 'ended') return undefined
  return await deps.methods.of(transaction.paymentType).slip?.(transaction)
}
