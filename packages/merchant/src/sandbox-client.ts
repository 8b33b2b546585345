import type { TransactionStatus } from '@cofre/contracts'
import {
  type RefundOutcome,
  type SandboxRefundBody,
  type SandboxStatusBody,
  type SandboxTimeBody,
  isSandboxRefundBody,
  isSandboxStatusBody,
  isSandboxTimeBody,
} from './answer.js'
import { type MerchantClientOptions, channelOf } from './merchant-client.js'
import { send } from './signed-channel.js'

export type {
  RefundOutcome,
  SandboxRefundBody,
  SandboxStatusBody,
  SandboxTimeBody,
} from './answer.js'
export type { TransactionStatus } from '@cofre/contracts'

/** A hand on the sandbox, for a shop's own tests. Fails as the merchant client does. */
export interface SandboxClient {
  clock(): Promise<SandboxTimeBody>
  /** Lets time pass for the whole sandbox: what has become due meanwhile happens now. */
  advanceClock(seconds: number): Promise<SandboxTimeBody>
  /**
   * Reports a status of a transaction as the bank would, and notifies; the status it already has notifies again.
   * A status that it may not go to is error 90202, whose description names those it may.
   */
  setStatus(transactionCode: string, status: TransactionStatus): Promise<SandboxStatusBody>
  /** Ends a refund that is PROCESSING, and notifies. */
  finishRefund(refundId: string | number, outcome: RefundOutcome): Promise<SandboxRefundBody>
}

/** @throws TypeError when `baseUrl` is not an http or https origin */
export function createSandboxClient(options: MerchantClientOptions): SandboxClient {
  const channel = channelOf(options)
  const isAnswer = isSandboxTimeBody
  return {
    clock: () => send(channel, { version: 'v1', target: '/sandbox/clock', isAnswer }),
    advanceClock: (seconds) =>
      send(channel, {
        version: 'v1',
        target: '/sandbox/clock/advance',
        body: { seconds },
        isAnswer,
      }),
    setStatus: (transactionCode, status) =>
      send(channel, {
        version: 'v1',
        target: `/sandbox/transactions/${encodeURIComponent(transactionCode)}/status`,
        body: { status },
        isAnswer: isSandboxStatusBody,
      }),
    finishRefund: (refundId, status) =>
      send(channel, {
        version: 'v1',
        target: `/sandbox/refunds/${encodeURIComponent(refundId)}/status`,
        body: { status },
        isAnswer: isSandboxRefundBody,
      }),
  }
}
