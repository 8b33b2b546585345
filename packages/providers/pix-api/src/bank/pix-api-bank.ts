import { type Clock, type Log, SECOND_MS } from '@cofre/contracts'
import type {
  PixBank,
  PixBankRefund,
  PixChargeOrder,
  PixRefundName,
  PixRefundOrder,
  PixTxid,
} from '@cofre/provider-kit/bank'
import {
  type AuthorizedClient,
  type CallBudget,
  type OutboundLimits,
  createAuthorizedClient,
  createOutboundClient,
} from '@cofre/provider-kit/outbound'
import type { PixApiAccount } from './pix-api-account.js'
import { ANOTHER_NAME, type PixApiAnswer, type PixApiCaller, settled } from './pix-api-calls.js'
import { createCharges } from './pix-api-charges.js'
import {
  type ChargeTerms,
  type PixApiCharge,
  chargeAnswerSchema,
  chargeRequest,
  paymentsAnswerSchema,
  periodQuery,
  refundAnswerSchema,
  refundRequest,
} from './pix-api-wire.js'

export interface PixApiClientOptions {
  /** The account's budget, shared by all its calls. */
  readonly budget: CallBudget
  readonly clock: Clock
  readonly log: Log
  /** Default: connect 3 s, one call 6 s. */
  readonly limits?: Partial<OutboundLimits>
}

/** Two calls of this length fit into the 15 s that a shop waits at most. */
const CALL_MS = 6 * SECOND_MS

/** The parts of an account that a client needs. */
type ClientOf = Pick<
  PixApiAccount,
  'certificate' | 'credentials' | 'hosts' | 'id' | 'profile' | 'simulatorCaPem'
>

/**
 * Opens nothing before the first call. Holds the account's access token: use one client per
 * account.
 */
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

/** A PixBank whose answers have more details of a failed call, and whose charges need no payer. */
export interface PixApiBank extends PixBank {
  openCharge(order: ChargeTerms & Pick<PixChargeOrder, 'txid'>): Promise<PixApiAnswer<PixApiCharge>>
  findCharge(...of: Parameters<PixBank['findCharge']>): Promise<PixApiAnswer<PixApiCharge>>
  removeCharge(txid: PixTxid): Promise<PixApiAnswer<PixApiCharge>>
}

export interface PixApiBankOptions {
  readonly log: Log
  /**
   * How long an unknown result of a charge or a refund is looked up. After that, no further call
   * begins, and the result stays unknown. Default 8 s.
   */
  readonly settleWithinMs?: number
}

export const SETTLE_WITHIN_MS: number = 8 * SECOND_MS

/** PIX at one bank, for one account. */
export function createPixApiBank(
  account: PixApiAccount,
  call: PixApiCaller,
  { log, settleWithinMs = SETTLE_WITHIN_MS }: PixApiBankOptions,
): PixApiBank {
  const kind = { resource: 'cob', answer: chargeAnswerSchema } as const
  const charges = createCharges({ kind, account, call, settleWithinMs })
  return {
    receiver: account.receiver,
    openCharge: async (order) => {
      const { txid, amountMinor } = order
      const body = chargeRequest(order, account.pixKey)
      return charges.open({ txid, amountMinor, body })
    },
    findCharge: (txid, urgency) =>
      // A list of payments shows the same.
      charges.find(txid, urgency === 'background' ? 'spare' : 'waited_for'),
    removeCharge: (txid) => charges.remove(txid, 'background'),
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

interface Refunding {
  readonly call: PixApiCaller
  readonly settleWithinMs: number
}

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/

/** Refunds by PIX. */
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
        send: () => call({ operation: 'refund.create', method: 'PUT', path, body, ...about }),
        find: () => findRefund(order),
      })
      if (answer.kind !== 'done' || answer.value.amountMinor === order.amountMinor) return answer
      return { kind: 'refused', detail: 'the bank holds another amount under this refund id' }
    },
  }
}
