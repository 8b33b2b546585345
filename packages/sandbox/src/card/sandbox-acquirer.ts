import type { AcquirerPayment, AuthorizeResult, PlayedAcquirer } from '@cofre/vault'
import { TEST_CARDS, type TestCard } from '../test-data/test-data.js'

/** The card's number decides, so asking again with the same key gives the same answer. */
export function createSandboxAcquirer(): PlayedAcquirer {
  return {
    authorize({ card, key }) {
      const { number } = card.reveal()
      const testCard = TEST_CARDS.find((known) => known.number === number)
      return Promise.resolve(resultOf(testCard, key.transactionCode))
    },
  }
}

function resultOf(testCard: TestCard | undefined, paymentId: string): AuthorizeResult {
  const payment: AcquirerPayment = {
    paymentId,
    nsu: undefined,
    authorizationCode: undefined,
    eci: undefined,
    networkTransactionId: undefined,
  }
  const outcome = testCard?.outcome ?? 'approved'
  switch (outcome) {
    case 'approved':
      return { kind: outcome, payment, surplus: [] }
    case 'declined':
      return { kind: outcome, decline: testCard?.decline ?? GENERIC, payment }
    case 'pending':
    case 'review':
      return { kind: outcome, payment }
    case 'unknown':
      return { kind: outcome, detail: 'this test card’s acquirer does not answer' }
  }
}

const GENERIC = { reason: 'generic', retry: { kind: 'allowed', afterMs: 0 } } as const
