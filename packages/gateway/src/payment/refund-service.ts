import { createHash } from 'node:crypto'
import {
  ApiError,
  type Clock,
  type Failure,
  type Log,
  REFUND_DAYS,
  type RefundRequest,
  dropAbsent,
  formatAmount,
  refundRequestTable,
} from '@cofre/contracts'
import { type Lanes, createLanes, doEach } from '@cofre/work'
import { formatTimestamp } from '../model/calendar/brazilian-calendar.js'
import type { Merchant } from '../model/merchant/merchant.js'
import type { RequestNonce } from '../model/merchant/request-nonce.js'
import {
  type Refund,
  type RefundCase,
  type RefundConflict,
  type RefundFacts,
  type RefundJudge,
  type RefundOutcome,
  type RefundParts,
  drawRefundId,
  refundObjection,
} from '../model/refund/refund.js'
import type { RefundKey } from '../model/refund/refund-identity.js'
import { capturedSums } from '../model/transaction/capture.js'
import { type Transaction, isPayerErased } from '../model/transaction/transaction.js'
import { findTransaction } from './transaction-service.js'
import { accepted, refusedFields } from './unknown-field-service.js'
import type {
  KeyDigests,
  MerchantStore,
  RandomBelow,
  RefundStore,
  RequestRules,
  TransactionStore,
} from './ports.js'
import type { PaymentMethods } from '../method/payment-method.js'

/** More draws than any second's traffic can need. */
const ID_DRAWS_MAX = 20

/** Reads the JSON body of `POST /refunds`. @throws ApiError refund_invalid with every failure */
export function readRefundRequest(
  json: unknown,
  merchant: Merchant,
  { acceptsNotificationUrl }: RequestRules,
): RefundRequest {
  const { notificationUrl, refusesCardReferences } = merchant
  const body = dropAbsent(json)
  const facts = { acceptsNotificationUrl, notificationUrl, refusesCardReferences }
  const judged = refundRequestTable.validate(body, facts)
  return accepted(judged, refusedFields(refundRequestTable, merchant, body))
}

export interface RefundCaseOfDeps {
  readonly clock: Clock
  readonly methods: PaymentMethods
}

/** The facts that decide whether the store may refund a transaction. */
export function refundCaseOf(
  deps: RefundCaseOfDeps,
  merchant: Merchant,
  { transaction, refunds, refundDays }: RefundFacts & Pick<RefundCase, 'refundDays'>,
): RefundCase {
  const { clock, methods } = deps
  const methodObstacle = methods.of(transaction.paymentType).refundObstacle(transaction)
  return { merchant, transaction, refunds, methodObstacle, refundDays, nowMs: clock.now() }
}

/** Days after its payment in which a transaction may be refunded: its acquirer's, if known. */
export async function refundDaysOf(
  { methods }: RefundCaseOfDeps,
  transaction: Transaction,
): Promise<number> {
  const { paymentType } = transaction
  return (await methods.of(paymentType).refundDays?.(transaction)) ?? REFUND_DAYS[paymentType]
}

export interface RefundCreation {
  readonly request: RefundRequest
  /** The request's nonce, unless it is recorded already. */
  readonly nonce?: RequestNonce | undefined
  /** Its `Idempotency-Key`. */
  readonly key?: string | undefined
  /** True if a request with this key and body has ended without a response. */
  readonly isRetry?: boolean
}

type BegunRefund = Pick<Refund, 'id' | 'transactionCode'>

export interface RefundDeps {
  readonly clock: Clock
  readonly methods: PaymentMethods
  readonly randomBelow: RandomBelow
  readonly merchants: MerchantStore
  readonly transactions: TransactionStore
  readonly refunds: RefundStore
  readonly keyDigests: KeyDigests
}

/**
 * Starts a refund. It is PROCESSING until the payment provider has finished it. A key that has
 * started a refund of the transaction returns the same one, and starts nothing. Without a key, an
 * equal request within a day is refused, unless the refund was rejected.
 * @throws ApiError 206xx, signature_nonce_used, idempotency_key_reused
 */
export async function createRefund(
  deps: RefundDeps,
  merchant: Merchant,
  creation: RefundCreation,
): Promise<BegunRefund> {
  const { request, nonce } = creation
  const notifyUrl = request['notify-url'] ?? merchant.notificationUrl
  // A store that signed in production may lack an address in the sandbox.
  if (notifyUrl === undefined) throw new ApiError([UNADDRESSED])
  const transaction = await findTransaction(deps, merchant, request['transaction-id'])
  const asked = {
    transactionCode: transaction.code,
    amountMinor: request.amount ?? capturedSums(transaction).amountMinor,
    reference: request.reference,
    notifyUrl,
    // It may name a payer whose data is erased.
    metadata: isPayerErased(transaction) ? undefined : request.metadata,
  }
  const refundDays = await refundDaysOf(deps, transaction)
  const judge = (facts: RefundFacts) =>
    refundObjection(asked.amountMinor, refundCaseOf(deps, merchant, { ...facts, refundDays }))
  const key = await keyOf(deps, merchant, creation)
  const result = await beginRefund(deps, merchant, { ...asked, judge, nonce, key })
  if ('id' in result) return result
  return refundOfConflict({ ...asked, notifyUrl: request['notify-url'] }, result)
}

const UNADDRESSED = {
  name: 'refund_invalid',
  property: 'notify-url',
  constraint: 'required',
} as const satisfies Failure

async function keyOf(
  { keyDigests }: RefundDeps,
  { id }: Merchant,
  { key, request: { reference }, isRetry = false }: RefundCreation,
): Promise<RefundKey | undefined> {
  if (key === undefined) return undefined
  const isBy02 = isRetry || reference === referenceOfKey(key)
  return { digest: await keyDigests.of(id, key), referenceBy02: isBy02 ? reference : undefined }
}

/** The reference that the SDKs send if the shop gives none. */
function referenceOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}

/** A requested refund, and the judge of whether it is allowed. */
export interface AskedRefund
  extends
    Pick<Refund, 'transactionCode' | 'amountMinor' | 'reference' | 'notifyUrl'>,
    Partial<Pick<Refund, 'metadata'>>,
    RefundParts {
  readonly judge: RefundJudge
}

/** Commits a refund under a free number; otherwise returns the conflict. */
export async function beginRefund(
  deps: RefundDeps,
  { id: merchantId }: Merchant,
  { judge, nonce, note, key, ...asked }: AskedRefund,
): Promise<BegunRefund | Exclude<RefundConflict, string>> {
  const plan: Omit<Refund, 'id' | 'chargedMinor' | 'identity'> = {
    metadata: undefined,
    ...asked,
    merchantId,
    status: 'PROCESSING',
    requestedAtMs: deps.clock.now(),
    processedAtMs: undefined,
    notBeforeMs: undefined,
    providerRefundId: undefined,
    nature: undefined,
  }
  for (let draw = 1; draw <= ID_DRAWS_MAX; draw++) {
    const refund = { ...plan, id: drawRefundId(plan.requestedAtMs, deps.randomBelow) }
    const result = await deps.refunds.insert(refund, judge, { nonce, note, key })
    if (result === 'inserted') return refund
    if (result === 'nonce_used') throw new ApiError('signature_nonce_used')
    if (result !== 'id_taken') return result
  }
  throw new Error('no free refund number was drawn')
}

/**
 * Starts a refund for a store that signed in another environment.
 * @throws ApiError partner_not_found, 206xx, signature_nonce_used
 */
export async function createRefundFor(
  deps: RefundDeps,
  merchantId: string,
  creation: RefundCreation,
): Promise<BegunRefund> {
  const merchant = await deps.merchants.find(merchantId)
  if (merchant === undefined) throw new ApiError('partner_not_found')
  return await createRefund(deps, merchant, creation)
}

/**
 * The earlier refund, if the same key requests it again.
 * @param asked - With the address that it names: the store's own address may have changed since.
 * @throws ApiError otherwise
 */
function refundOfConflict(
  asked: Pick<Refund, 'amountMinor' | 'reference'> & { readonly notifyUrl: string | undefined },
  conflict: Exclude<RefundConflict, string>,
): Refund {
  if (conflict.kind === 'refused') throw new ApiError([conflict.objection])
  const { earlier } = conflict
  if (conflict.kind === 'equal') throw new ApiError([repetitionOf(earlier)])
  const { amountMinor, notifyUrl, providerRefundId, reference } = earlier
  const isSame =
    amountMinor === asked.amountMinor &&
    // A restored database may have forgotten these.
    (notifyUrl === '' || asked.notifyUrl === undefined || notifyUrl === asked.notifyUrl) &&
    (providerRefundId !== undefined || reference === asked.reference)
  if (isSame) return earlier
  throw new ApiError('idempotency_key_reused')
}

function repetitionOf({ id, amountMinor, requestedAtMs, status }: Refund): Failure {
  return {
    name: 'refund_already_requested',
    property: 'transaction-id',
    cause: 'equal',
    named: {
      refund: String(id),
      amount: formatAmount(amountMinor),
      time: formatTimestamp(requestedAtMs),
      status,
    },
  }
}

const REFUNDS_AT_ONCE = 20

export interface ProcessRefundsDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
  readonly refunds: RefundStore
}

/**
 * Requests refunds that are PROCESSING and commits their outcome. Unknown ones are retried.
 * @throws RoundFailedError if none was answered
 */
export async function processRefunds(
  deps: ProcessRefundsDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  const { clock, log, refunds } = deps
  const claim = {
    machineNowMs: deps.machineClock.now(),
    limit: REFUNDS_AT_ONCE,
    busy: lanes.busy(),
    unreadable(error: unknown, refund: number) {
      log.error({ refund, error }, 'a refund could not be read')
    },
  }
  return await doEach(await refunds.claimProcessing(claim), {
    work: (refund) =>
      lanes.run(refund.lane, async () => {
        const outcome = await askForRefund(deps, refund)
        if (outcome !== 'unknown') await refunds.finish(refund.id, outcome, clock.now())
      }),
    name: ({ id }) => `refund ${id}`,
    logFailure({ id: refund }, error) {
      log.error({ refund, error }, 'a refund could not be finished')
    },
  })
}

/** Requests it from the method by which its transaction was paid. */
async function askForRefund(
  { methods, transactions }: ProcessRefundsDeps,
  refund: Refund,
): Promise<RefundOutcome | 'unknown'> {
  const payment = await transactions.findByCode(refund.transactionCode)
  if (payment === undefined) throw new Error('the transaction of a refund is not here')
  return await methods.of(payment.paymentType).refund(refund, payment)
}
