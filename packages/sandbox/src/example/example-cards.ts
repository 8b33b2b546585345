import { type CardAnswer, type CardOrder, binOf } from '@cofre/contracts'
import type { CardService } from '@cofre/contracts'
import { TEST_CARDS } from '../test-data/test-data.js'

/** The answers of test cards, without a vault: no card of an example is stored anywhere. */
export function createExampleCards(): CardService {
  const nothing = () => Promise.reject(new Error('an example only pays'))
  return {
    authorize: (order) => Promise.resolve(answerTo(order)),
    recallAuthorization: nothing,
    hasArrived: nothing,
    authenticate: nothing,
    activateSavedCard: nothing,
    refund: nothing,
    capture: nothing,
    voidCharge: nothing,
    changes: nothing,
    acknowledge: nothing,
    coverAccounts: nothing,
    setFieldSettings: nothing,
  }
}

function answerTo({ source }: CardOrder): CardAnswer {
  const number = source.kind === 'raw' ? source.card.reveal().number : ''
  const card = TEST_CARDS.find((known) => known.number === number)
  if (card === undefined || card.outcome === 'authenticate')
    return { kind: 'refused', reason: 'card_invalid' }
  return {
    kind: 'answered',
    outcome: card.outcome,
    card: { brand: card.brand, bin: binOf(number), lastFour: number.slice(-4) },
    ...(card.decline !== undefined && { decline: card.decline }),
  }
}
