import type { CardAnswer, CardOrder, CardSource } from '@cofre/contracts'
import type { CardService } from '@cofre/contracts'
import type { Gateway } from '@cofre/gateway'
import type { SandboxBank } from '../simulated-bank/sandbox-bank.js'
import { FIXED_CARD, FIXED_SAVED_CARD, SIMULATED_CARD_CODE } from '../test-data/test-data.js'

/** True if a store, or that of a transaction, keeps its payers' own saved cards. */
type OwnCards = Gateway['keepsOwnCards']

/**
 * Card payments of the sandbox (specification, section 5). A token or `save` always answers the
 * fixed saved card, no card is stored, and only the fixed card's code pays. For stores with their
 * payers' own cards, the vault stores and charges them as in production. The bank reports a test
 * card's later events, and refunds charges that no account has made.
 */
export function createSandboxCardPayments(
  vault: CardService,
  bank: SandboxBank,
  keepsOwnCards: OwnCards = () => Promise.resolve(false),
): CardService {
  const planned = async (
    charged: Parameters<SandboxBank['cardCharged']>[0],
    answer: CardAnswer,
  ): Promise<CardAnswer> => {
    if (answer.kind === 'answered') await bank.cardCharged(charged, answer.card)
    return answer
  }
  const shown = async (
    transactionCode: string,
    answer: CardAnswer | undefined,
  ): Promise<CardAnswer | undefined> => {
    if (answer?.kind !== 'answered') return answer
    const isOwn = await keepsOwnCards({ transactionCode })
    const card = isOwn ? answer : { ...answer, savedCard: FIXED_SAVED_CARD }
    return await planned({ transactionCode }, card)
  }
  return {
    async authorize(order) {
      if (await keepsOwnCards(order)) return await planned(order, await vault.authorize(order))
      if (order.source.kind === 'code') {
        const played = simulatedOrder(order, order.source)
        return 'kind' in played ? played : await planned(order, await vault.authorize(played))
      }
      const answer = await vault.authorize({ ...order, saveCard: false })
      const answersCard = order.source.kind === 'token' || order.saveCard
      return await planned(
        order,
        answer.kind === 'answered' && answersCard
          ? { ...answer, savedCard: FIXED_SAVED_CARD }
          : answer,
      )
    },
    async recallAuthorization(environment, transactionCode) {
      const answer = await vault.recallAuthorization(environment, transactionCode)
      return await shown(transactionCode, answer)
    },
    hasArrived: (environment, transactionCode) => vault.hasArrived(environment, transactionCode),
    authenticate: async (request) =>
      await shown(request.transactionCode, await vault.authenticate(request)),
    async activateSavedCard(environment, transactionCode) {
      if (await keepsOwnCards({ transactionCode }))
        await vault.activateSavedCard(environment, transactionCode)
    },
    async refund(order) {
      const answer = await vault.refund(order)
      return answer.kind === 'no_charge' ? ENDS[await bank.refundAsked(order)] : answer
    },
    capture: (order) => vault.capture(order),
    voidCharge: (order) => vault.voidCharge(order),
    changes: (environment) => vault.changes(environment),
    acknowledge: (environment, ids) => vault.acknowledge(environment, ids),
    coverAccounts: (environment, accounts) => vault.coverAccounts(environment, accounts),
    setFieldSettings: (settings) => vault.setFieldSettings(settings),
  }
}

/** The bank's end of a refund whose charge no account has made. */
const ENDS = {
  PROCESSED: { kind: 'done' },
  REJECTED: { kind: 'refused', detail: 'the bank of the sandbox has rejected it' },
  unknown: { kind: 'in_process' },
} as const

/**
 * The answer to an order that pays with the fixed card; with a security code, the order for which
 * the vault opens the code's token and charges the card.
 */
function simulatedOrder(
  order: CardOrder,
  source: Extract<CardSource, { kind: 'code' }>,
): CardAnswer | CardOrder {
  const { brand, isCapturedLater: isAuthorizedOnly } = order
  if (source.code !== FIXED_SAVED_CARD.code) return { kind: 'refused', reason: 'code_not_found' }
  if (brand !== undefined && brand !== FIXED_CARD.brand)
    return { kind: 'refused', reason: 'brand_mismatch' }
  return source.securityCodeToken === undefined
    ? {
        kind: 'answered',
        outcome: 'approved',
        card: FIXED_CARD,
        ...(isAuthorizedOnly && { isAuthorizedOnly }),
      }
    : { ...order, source: { ...source, code: SIMULATED_CARD_CODE } }
}
