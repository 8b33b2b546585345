import { type Clock, type Log, type MinorUnits, SECOND_MS } from '@cofre/contracts'
import { payerCode } from '@cofre/gateway'
import {
  type CallBudget,
  type CallPriority,
  type OutboundClient,
  type OutboundLimits,
  createAuthorizedClient,
  createOutboundClient,
} from '@cofre/outbound'
import type { BankResult, RefusalReason } from '../model/bank-result.js'
import { type PixApiAccount, hostsOf } from './pix-api-account.js'
import { type PixApiCaller, createPixApiCaller, settled } from './pix-api-calls.js'
import { pixApiProfile } from './pix-api-profiles.js'
import { type PixApiWebhook, createPixApiWebhook } from './pix-api-webhook.js'
import {
  type BankCharge,
  type BankRefund,
  type ChargePayer,
  type PaymentsPage,
  chargeAnswerSchema,
  chargeRequest,
  paymentsAnswerSchema,
  periodQuery,
  refundAnswerSchema,
  refundRequest,
  removalRequest,
} from './pix-api-wire.js'
import type { PixRefundId, PixTxid } from './pix-ids.js'

export interface ChargeOrder {
  readonly txid: PixTxid
  readonly amountMinor: MinorUnits
  readonly expirySeconds: number
  readonly payer?: ChargePayer
  readonly message?: string
}

/** A charge that may be shown to its payer. */
export interface OpenedCharge extends BankCharge {
  /** The bank's code, checked, or one that was composed from the charge's location. */
  readonly payerCode: string
}

export interface RefundOrder {
  readonly endToEndId: string
  readonly refundId: PixRefundId
  readonly amountMinor: MinorUnits
}

export interface PaymentsPeriod {
  readonly fromMs: number
  readonly toMs: number
  /** From 0. */
  readonly page: number
}

/**
 * PIX at one bank, for one account. Every call may be repeated under the same names: nothing is
 * charged or refunded twice.
 */
export interface PixApiBank {
  /**
   * Done with the charge as it stands: asked again it may be paid or removed. A code of the bank
   * that contradicts the charge removes it: refused, and nothing is to be shown.
   */
  createCharge(order: ChargeOrder): Promise<BankResult<OpenedCharge>>
  findCharge(txid: PixTxid, priority?: CallPriority): Promise<BankResult<BankCharge>>
  /** Done with a charge that is `paid` when the payer was faster. */
  removeCharge(txid: PixTxid): Promise<BankResult<BankCharge>>
  refund(order: RefundOrder): Promise<BankResult<BankRefund>>
  findRefund(order: Omit<RefundOrder, 'amountMinor'>): Promise<BankResult<BankRefund>>
  /** One page of what was paid in a period, foreign payments included. A background call. */
  listPayments(period: PaymentsPeriod): Promise<BankResult<PaymentsPage>>
  readonly webhook: PixApiWebhook
  close(): Promise<void>
}

export interface PixApiBankOptions {
  readonly account: PixApiAccount
  /** Names the account in the log. */
  readonly accountId: string
  /** The account's, shared by all that calls for it. */
  readonly budget: CallBudget
  readonly clock: Clock
  readonly log: Log
  /** Default: connect 3 s, one call 6 s. */
  readonly limits?: Partial<OutboundLimits>
  /**
   * How long a doubt about a charge or a refund is followed up: no further call begins after it,
   * and the doubt stays. Default 8 s.
   */
  readonly settleWithinMs?: number
}

/** Two calls of this length fit into the 15 s that a shop is kept waiting. */
const CALL_MS = 6 * SECOND_MS
const SETTLE_WITHIN_MS = 8 * SECOND_MS

/** What a bank says of something else decides nothing. */
const ANOTHER_NAME = {
  kind: 'unknown',
  reason: 'answer_unreadable',
  detail: 'the bank answered with something of another name',
} as const

/** Opens nothing before the first call. Keeps the account's access token: one for each account. */
export function createPixApiBank(options: PixApiBankOptions): PixApiBank {
  const { account, settleWithinMs = SETTLE_WITHIN_MS } = options
  const client = authorizedClient(options)
  const call = createPixApiCaller(account, client)
  const findCharge: PixApiBank['findCharge'] = async (txid, priority) => {
    const found = await call({
      operation: 'cob.find',
      method: 'GET',
      resource: 'cob',
      path: `/${txid}`,
      answer: chargeAnswerSchema,
      ...(priority !== undefined && { priority }),
    })
    return found.kind === 'done' && found.value.txid !== txid ? ANOTHER_NAME : found
  }
  const removeCharge = createRemoval(call, findCharge)
  return {
    createCharge: createCreation({ ...options, settleWithinMs, call, findCharge, removeCharge }),
    findCharge,
    removeCharge,
    ...createRefunds(call, settleWithinMs),
    listPayments: ({ fromMs, toMs, page }) =>
      call({
        operation: 'pix.list',
        method: 'GET',
        resource: 'pix',
        path: `?${periodQuery(fromMs, toMs, page)}`,
        answer: paymentsAnswerSchema(page),
        priority: 'background',
      }),
    webhook: createPixApiWebhook(account, call),
    close: () => client.close(),
  }
}

function authorizedClient({ account, accountId, ...options }: PixApiBankOptions): OutboundClient {
  const { clientAuth, tokenBody, scope } = pixApiProfile(account.profile)
  const { certificate, clientId, clientSecret } = account.credentials
  const client = createOutboundClient({
    ...options,
    limits: { totalMs: CALL_MS, ...options.limits },
    account: accountId,
    certificate,
    ...(account.simulator !== undefined && { simulatorCaPem: account.simulator.caPem }),
  })
  const grant = {
    url: hostsOf(account).token,
    clientId,
    clientAuth,
    bodyFormat: tokenBody,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scope !== undefined && { scope }),
  }
  return createAuthorizedClient(client, grant, options.clock)
}

interface Creation extends Required<Pick<PixApiBankOptions, 'account' | 'settleWithinMs'>> {
  readonly call: PixApiCaller
  readonly findCharge: PixApiBank['findCharge']
  readonly removeCharge: PixApiBank['removeCharge']
}

function createCreation(context: Creation): PixApiBank['createCharge'] {
  const { account, call, findCharge, removeCharge, settleWithinMs: withinMs } = context
  const refuse = async (txid: PixTxid, reason: RefusalReason, detail: string) => {
    const removal = await removeCharge(txid)
    const isGone = removal.kind === 'done' && removal.value.status === 'removed'
    const end = isGone ? 'it was removed at the bank' : 'it could not be removed at the bank'
    return { kind: 'refused', refusal: { reason, detail: `${detail}; ${end}` } } as const
  }
  return async (order) => {
    const { txid, amountMinor } = order
    const body = chargeRequest({ ...order, pixKey: account.pixKey })
    const result = await settled({
      withinMs,
      ask: () =>
        call({
          operation: 'cob.create',
          method: 'PUT',
          resource: 'cob',
          path: `/${txid}`,
          body,
          answer: chargeAnswerSchema,
        }),
      look: () => findCharge(txid),
    })
    if (result.kind !== 'done') return result
    const charge = result.value
    const isOurs = bareKey(charge.pixKey ?? account.pixKey) === bareKey(account.pixKey)
    if (charge.txid !== txid || charge.amountMinor !== amountMinor || !isOurs)
      return refuse(txid, 'differs', 'the bank holds another charge under this txid')
    const shown = payerCode({ ...charge, code: charge.bankCode }, account.receiver)
    return shown.kind === 'contradiction'
      ? refuse(txid, 'code_contradicts', shown.detail)
      : { kind: 'done', value: { ...charge, payerCode: shown.code } }
  }
}

/** A bank may write a key with punctuation or capitals of its own. */
function bareKey(pixKey: string): string {
  return pixKey.toLowerCase().replace(/[\s().-]/g, '')
}

function createRemoval(
  call: PixApiCaller,
  findCharge: PixApiBank['findCharge'],
): PixApiBank['removeCharge'] {
  return async (txid) => {
    const patch = () =>
      call({
        operation: 'cob.remove',
        method: 'PATCH',
        resource: 'cob',
        path: `/${txid}`,
        body: removalRequest,
        answer: chargeAnswerSchema,
      })
    const first = await patch()
    if (first.kind === 'done' || first.kind === 'absent' || first.kind === 'not_asked') return first
    const found = await findCharge(txid)
    if (found.kind !== 'done') return first
    if (found.value.status !== 'open') return found
    // Still open: refused, or never arrived.
    return first.kind === 'unknown' ? patch() : first
  }
}

function createRefunds(
  call: PixApiCaller,
  withinMs: number,
): Pick<PixApiBank, 'refund' | 'findRefund'> {
  const pathOf = ({ endToEndId, refundId }: Omit<RefundOrder, 'amountMinor'>): string =>
    `/${encodeURIComponent(endToEndId)}/devolucao/${refundId}`
  const findRefund: PixApiBank['findRefund'] = async (order) => {
    const found = await call({
      operation: 'refund.find',
      method: 'GET',
      resource: 'pix',
      path: pathOf(order),
      answer: refundAnswerSchema,
    })
    return found.kind === 'done' && found.value.id !== order.refundId ? ANOTHER_NAME : found
  }
  return {
    findRefund,
    async refund(order) {
      const body = refundRequest(order.amountMinor)
      const result = await settled({
        withinMs,
        ask: () =>
          call({
            operation: 'refund.create',
            method: 'PUT',
            resource: 'pix',
            path: pathOf(order),
            body,
            answer: refundAnswerSchema,
          }),
        look: () => findRefund(order),
      })
      if (result.kind !== 'done' || result.value.amountMinor === order.amountMinor) return result
      const detail = 'the bank holds another amount under this refund id'
      return { kind: 'refused', refusal: { reason: 'differs', detail } }
    },
  }
}
