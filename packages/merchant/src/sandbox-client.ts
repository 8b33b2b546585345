import type { TransactionStatus } from '@cofre/contracts'
import { requireChoice, requireCode, requireNumber } from './arguments.js'
import { type MerchantClientOptions, channelOf } from './merchant-client.js'
import {
  type RefundOutcome,
  type SandboxPreviewBody,
  type SandboxRefundBody,
  type SandboxStatusBody,
  type SandboxTimeBody,
  isSandboxPreview,
  isSandboxReceiver,
  isSandboxRefund,
  isSandboxStatus,
  isSandboxTime,
} from './response.js'
import { type StreamRequest, openStream } from './event-stream.js'
import { send } from './signed-channel.js'

const STATUSES: Readonly<Record<TransactionStatus, true>> = {
  PENDING: true,
  'UNDER-REVIEW': true,
  COMPLETE: true,
  CANCELLED: true,
  EXPIRED: true,
  'NOT-PAID': true,
  REFUNDED: true,
  CHARGEBACK: true,
}
const OUTCOMES: Readonly<Record<RefundOutcome, true>> = { PROCESSED: true, REJECTED: true }

/** Controls the sandbox in a shop's own tests. It fails like the merchant client. */
export interface SandboxClient {
  clock(): Promise<SandboxTimeBody>
  /** The effects if the given seconds passed. It moves nothing. */
  previewClock(seconds: number): Promise<SandboxPreviewBody>
  /** Moves the whole sandbox's time; what becomes due in between happens now. */
  advanceClock(seconds: number): Promise<SandboxTimeBody>
  /**
   * Reports a status of a transaction as the bank would, and notifies; its present status notifies
   * again. A status that the transaction may not have next is error 90202, whose description names
   * the allowed ones.
   */
  setStatus(transactionCode: string, status: TransactionStatus): Promise<SandboxStatusBody>
  /** Ends a refund that is PROCESSING, and notifies. */
  finishRefund(refundId: string | number, outcome: RefundOutcome): Promise<SandboxRefundBody>
  /**
   * The address of the store's receiver in the panel: a notification URL for tests without a shop.
   */
  receiverUrl(): Promise<string>
  /** Follows notifications or requests of the store: server-sent events, until the signal. */
  openStream(request: StreamRequest): Promise<ReadableStream<Uint8Array>>
}

/** @throws TypeError that names the missing or wrong option */
export function createSandboxClient(options: MerchantClientOptions): SandboxClient {
  const channel = channelOf(options)
  const version = 'v1'
  return {
    clock: () => send(channel, { version, target: '/sandbox/clock', isExpected: isSandboxTime }),
    async previewClock(seconds) {
      requireNumber('seconds', seconds)
      const target = `/sandbox/clock/preview?seconds=${seconds}`
      return await send(channel, { version, target, isExpected: isSandboxPreview })
    },
    async advanceClock(seconds) {
      requireNumber('seconds', seconds)
      const target = '/sandbox/clock/advance'
      return await send(channel, { version, target, body: { seconds }, isExpected: isSandboxTime })
    },
    async setStatus(transactionCode, status) {
      requireCode('transactionCode', transactionCode)
      requireChoice('status', Object.keys(STATUSES), status)
      const target = `/sandbox/transactions/${encodeURIComponent(transactionCode)}/status`
      return await send(channel, { version, target, body: { status }, isExpected: isSandboxStatus })
    },
    async finishRefund(refundId, outcome) {
      requireCode('refundId', refundId)
      requireChoice('outcome', Object.keys(OUTCOMES), outcome)
      const target = `/sandbox/refunds/${encodeURIComponent(refundId)}/status`
      return await send(channel, {
        version,
        target,
        body: { status: outcome },
        isExpected: isSandboxRefund,
      })
    },
    async receiverUrl() {
      const target = '/sandbox/receiver'
      const receiver = await send(channel, { version, target, isExpected: isSandboxReceiver })
      return receiver['notification-url']
    },
    openStream: (request) => openStream(channel, request),
  }
}
