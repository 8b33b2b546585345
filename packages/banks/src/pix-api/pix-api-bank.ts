import { type Clock, type Log, SECOND_MS } from '@cofre/contracts'
import type {
  PixBank,
  PixBankRefund,
  PixChargeOrder,
  PixRefundName,
  PixRefundOrder,
  PixTxid,
} from '@cofre/gateway'
import {
  type AuthorizedClient,
  type CallBudget,
  type CallPriority,
  type OutboundLimits,
  createAuthorizedClient,
  createOutboundClient,
} from '@cofre/outbound'
import type { PixApiAccount } from './pix-api-account.js'
import { type PixApiAnswer, type PixApiCaller, settled } from './pix-api-calls.js'
import {
  type ChargeTerms,
  type PixApiCharge,
  chargeAnswerSchema,
  chargeRequest,
  paymentsAnswerSchema,
  periodQuery,
  refundAnswerSchema,
  refundRequest,
  removalRequest,
} from './pix-api-wire.js'

export interface PixApiClientOptions {
  /** The account's, shared by all that calls for it. */
  readonly budget: CallBudget
  readonly clock: Clock
  readonly log: Log
  /** Default: connect 3 s, one call 6 s. */
  readonly limits?: Partial<OutboundLimits>
}

/** Two calls of this length fit into the 15 s that a shop is kept waiting. */
const CALL_MS = 6 * SECOND_MS

/** What a client is made of. */
type ClientOf = Pick<
  PixApiAccount,
  'certificate' | 'credentials' | 'hosts' | 'id' | 'profile' | 'simulatorCaPem'
>

/** Opens nothing before the first call. Keeps the account's access token: one for each account. */
export function createPixApiClient(
  { certificate, credentials, hosts, id, profile, simulatorCaPem }: ClientOf,
  options: PixApiClientOptions,
): AuthorizedClient {
  const { clientAuth, tokenBody, scope } = profile
  const { clientId, clientSecret } = credentials
  const client = createOutboundClient({
    ...options,
    limits: { totalMs: CALL_MS, ...options.limits },
    account: id,
    certificate,
    ...(simulatorCaPem !== undefined && { simulatorCaPem }),
  })
  const grant = {
    url: hosts.token,
    clientId,
    clientAuth,
    bodyFormat: tokenBody,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scope !== undefined && { scope }),
  }
  return createAuthorizedClient(client, grant, options.clock)
}

/** What else is known of a call that failed, and charges without a payer. */
export interface PixApiBank extends PixBank {
  openCharge(order: ChargeTerms & Pick<PixChargeOrder, 'txid'>): Promise<PixApiAnswer<PixApiCharge>>
  findCharge(...of: Parameters<PixBank['findCharge']>): Promise<PixApiAnswer<PixApiCharge>>
  removeCharge(txid: PixTxid): Promise<PixApiAnswer<PixApiCharge>>
}

export interface PixApiBankOptions {
  readonly log: Log
  /**
   * How long a doubt about a charge or a refund is followed up: no further call begins after it,
   * and the doubt stays. Default 8 s.
   */
  readonly settleWithinMs?: number
}

export const SETTLE_WITHIN_MS: number = 8 * SECOND_MS

/** What a bank says of something else decides nothing. */
export const ANOTHER_NAME = {
  kind: 'unknown',
  detail: 'the bank answered with something of another name',
} as const

type ChargeCall = (txid: PixTxid, priority: CallPriority) => Promise<PixApiAnswer<PixApiCharge>>

/** PIX at one bank, for one account. */
export function createPixApiBank(
  account: PixApiAccount,
  call: PixApiCaller,
  { log, settleWithinMs = SETTLE_WITHIN_MS }: PixApiBankOptions,
): PixApiBank {
  const findAs: ChargeCall = async (txid, priority) => {
    const found = await call({
      operation: 'cob.find',
      method: 'GET',
      resource: 'cob',
      path: `/${txid}`,
      answer: chargeAnswerSchema,
      priority,
    })
    return found.kind === 'done' && found.value.txid !== txid ? ANOTHER_NAME : found
  }
  const findCharge: PixApiBank['findCharge'] = (txid, urgency) =>
    // A list of payments shows the same.
    findAs(txid, urgency === 'background' ? 'spare' : 'waited_for')
  const removeCharge = createRemoval(call, findAs)
  return {
    receiver: account.receiver,
    openCharge: createOpening({ account, call, findCharge, removeCharge, settleWithinMs }),
    findCharge,
    removeCharge: (txid) => removeCharge(txid, 'background'),
    ...createRefunds({ call, settleWithinMs }),
    async listPayments({ fromMs, toMs, isOld = false }, page) {
      const listed = await call({
        operation: 'pix.list',
        method: 'GET',
        resource: 'pix',
        path: `?${periodQuery(fromMs, toMs, page)}`,
        answer: paymentsAnswerSchema(page),
        priority: isOld ? 'spare' : 'sweep',
      })
      if (listed.kind === 'done' && listed.value.unreadable > 0) {
        const { unreadable } = listed.value
        log.warn({ account: account.id, unreadable }, 'payments of a bank cannot be read')
      }
      return listed
    },
  }
}

interface Opening {
  readonly account: PixApiAccount
  readonly call: PixApiCaller
  readonly findCharge: PixApiBank['findCharge']
  readonly removeCharge: ChargeCall
  readonly settleWithinMs: number
}

function createOpening(context: Opening): PixApiBank['openCharge'] {
  const { account, call, findCharge, removeCharge, settleWithinMs: withinMs } = context
  return async (order) => {
    const { txid, amountMinor } = order
    const body = chargeRequest(order, account.pixKey)
    const answer = await settled({
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
      look: () => findCharge(txid, 'payer-waits'),
    })
    if (answer.kind !== 'done') return answer
    const charge = answer.value
    const hasOurKey = bareKey(charge.pixKey ?? account.pixKey) === bareKey(account.pixKey)
    if (charge.txid === txid && charge.amountMinor === amountMinor && hasOurKey) return answer
    const removed = await removeCharge(txid, 'waited_for')
    const isGone = removed.kind === 'done' && removed.value.state === 'removed'
    const end = isGone ? 'it was removed at the bank' : 'it could not be removed at the bank'
    return { kind: 'refused', detail: `the bank holds another charge under this txid; ${end}` }
  }
}

/** A bank may write a key with punctuation or capitals of its own. */
function bareKey(pixKey: string): string {
  return pixKey.toLowerCase().replace(/[\s().-]/g, '')
}

function createRemoval(call: PixApiCaller, findAs: ChargeCall): ChargeCall {
  return async (txid, priority) => {
    const about = {
      resource: 'cob',
      path: `/${txid}`,
      answer: chargeAnswerSchema,
      priority,
    } as const
    const patch = () =>
      call({ operation: 'cob.remove', method: 'PATCH', body: removalRequest, ...about })
    const first = await patch()
    if (first.kind !== 'unknown' && first.kind !== 'refused') return first
    const found = await findAs(txid, priority)
    if (found.kind !== 'done') return first
    if (found.value.state !== 'open') return found
    // Still open: refused, or never arrived.
    return first.kind === 'unknown' ? patch() : first
  }
}

interface Refunding {
  readonly call: PixApiCaller
  readonly settleWithinMs: number
}

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/

/** Money that goes back by PIX. */
export function createRefunds({ call, settleWithinMs }: Refunding) {
  const pathOf = ({ endToEndId, refundId }: PixRefundName): string => {
    if (!REFUND_ID.test(refundId))
      throw new RangeError('a refund id has 1 to 35 letters and digits')
    return `/${encodeURIComponent(endToEndId)}/devolucao/${refundId}`
  }
  const about = {
    resource: 'pix',
    answer: refundAnswerSchema,
    priority: 'background',
  } as const
  const findRefund = async (order: PixRefundName): Promise<PixApiAnswer<PixBankRefund>> => {
    const path = pathOf(order)
    const found = await call({ operation: 'refund.find', method: 'GET', path, ...about })
    if (found.kind !== 'done') return found
    return found.value.id === order.refundId ? found : ANOTHER_NAME
  }
  return {
    findRefund,
    async refund(order: PixRefundOrder): Promise<PixApiAnswer<PixBankRefund>> {
      const path = pathOf(order)
      const body = refundRequest(order.amountMinor)
      const answer = await settled({
        withinMs: settleWithinMs,
        ask: () => call({ operation: 'refund.create', method: 'PUT', path, body, ...about }),
        look: () => findRefund(order),
      })
      if (answer.kind !== 'done' || answer.value.amountMinor === order.amountMinor) return answer
      return { kind: 'refused', detail: 'the bank holds another amount under this refund id' }
    },
  }
}
