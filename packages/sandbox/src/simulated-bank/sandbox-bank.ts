import { type CardSummary, type Clock, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { RefundOutcome } from '@cofre/gateway'
import { testAmountOf, testCardOf, testRefundOf } from '../test-data/test-data.js'
import type { BankEventStore } from './bank-event-sql.js'
import type { SettledMethod, SettlementMode, SettlementModeStore } from './settlement-mode-sql.js'

/** A payment that waits for the payer. */
export interface WaitingPayment {
  readonly merchantId: string
  readonly transactionCode: string
  readonly amountMinor: number
}

/** A card's charge; for a recalled one, the store is unknown. */
interface ChargedTransaction {
  readonly transactionCode: string
  readonly merchantId?: string
}

/**
 * Decides the time and content of the bank's reports. A repeated request for a payment or refund
 * changes no earlier decision.
 */
export interface SandboxBank {
  /** Called when a boleto, PIX or wallet payment was opened. */
  paymentOpened(method: Exclude<SettledMethod, 'refund'>, payment: WaitingPayment): Promise<void>
  /** Called when a card was charged; plans a test card's later events. */
  cardCharged(charged: ChargedTransaction, card: CardSummary): Promise<void>
  /** The end of a refund; `unknown` until the bank, or a developer in the panel, decides. */
  refundAsked(refund: {
    readonly refundId: string
    readonly merchantId: string
    readonly reference?: string | undefined
  }): Promise<RefundOutcome | 'unknown'>
}

interface SandboxBankDeps {
  readonly events: BankEventStore
  readonly modes: SettlementModeStore
  readonly clock: Clock
}

export function createSandboxBank({ events, modes, clock }: SandboxBankDeps): SandboxBank {
  const inMinutes = (minutes: number) => clock.now() + minutes * MINUTE_MS
  return {
    async paymentOpened(method, { merchantId, transactionCode, amountMinor }) {
      const subject = { subject: 'transaction', id: transactionCode, storeId: merchantId } as const
      const chosen = testAmountOf(amountMinor)
      if (method !== 'e-wallet' && chosen !== undefined) {
        const outcome = chosen.status[method]
        await events.plan({ ...subject, outcome }, inMinutes(chosen.afterMinutes))
        return
      }
      const dueAtMs = dueAt((await modes.modesOf(merchantId))[method], clock)
      if (dueAtMs !== undefined) await events.plan({ ...subject, outcome: 'COMPLETE' }, dueAtMs)
    },

    async cardCharged({ transactionCode: id, merchantId: storeId }, card) {
      const later = testCardOf(card)?.later
      if (later === undefined) return
      const event = { subject: 'transaction', id, storeId, outcome: later.status } as const
      await events.plan(event, inMinutes(later.afterMinutes))
    },

    async refundAsked({ refundId, merchantId, reference }) {
      const refund = { subject: 'refund', id: refundId, storeId: merchantId } as const
      const event = { ...refund, outcome: 'PROCESSED' } as const
      // The first request has fixed its end, even if the mode has changed since.
      if (await events.isKnown(event)) return 'unknown'
      const chosen = testRefundOf(reference)
      if (chosen?.afterMinutes === 0) return chosen.outcome
      if (chosen !== undefined) {
        await events.plan({ ...event, outcome: chosen.outcome }, inMinutes(chosen.afterMinutes))
        return 'unknown'
      }
      const mode = (await modes.modesOf(merchantId)).refund
      if (mode.kind === 'at-once') return 'PROCESSED'
      const dueAtMs = dueAt(mode, clock)
      if (dueAtMs !== undefined) await events.plan(event, dueAtMs)
      return 'unknown'
    },
  }
}

/** A bank that waits for payers and pays refunds at once, without configurable modes. */
export const WAITING_BANK: SandboxBank = {
  paymentOpened: () => Promise.resolve(),
  cardCharged: () => Promise.resolve(),
  refundAsked: ({ reference }) => Promise.resolve(testRefundOf(reference)?.outcome ?? 'PROCESSED'),
}

/** Undefined if a developer must trigger it. */
function dueAt(mode: SettlementMode, clock: Clock): number | undefined {
  switch (mode.kind) {
    case 'at-once':
      return clock.now()
    case 'after':
      return clock.now() + mode.seconds * SECOND_MS
    case 'by-hand':
      return undefined
  }
}
