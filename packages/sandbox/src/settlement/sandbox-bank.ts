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

/** What a card was charged for; of one that was recalled the store is not known. */
interface ChargedTransaction {
  readonly transactionCode: string
  readonly merchantId?: string
}

/**
 * Decides when the sandbox's bank reports what. Asked again about the same payment or refund, it
 * decides nothing new.
 */
export interface SandboxBank {
  /** A boleto, PIX or wallet payment was opened. */
  paymentOpened(method: Exclude<SettledMethod, 'refund'>, payment: WaitingPayment): Promise<void>
  /** A card was charged; what a test card does later is planned. */
  cardCharged(charged: ChargedTransaction, card: CardSummary): Promise<void>
  /** How a refund ends; `unknown` until the bank, or a developer in the panel, decides. */
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
      // When it ends was decided when it was first asked for, whatever the mode has become.
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

/** A bank that waits for payers and pays refunds at once, where nobody chooses how it settles. */
export const WAITING_BANK: SandboxBank = {
  paymentOpened: () => Promise.resolve(),
  cardCharged: () => Promise.resolve(),
  refundAsked: ({ reference }) => Promise.resolve(testRefundOf(reference)?.outcome ?? 'PROCESSED'),
}

/** Undefined: when somebody says so. */
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
