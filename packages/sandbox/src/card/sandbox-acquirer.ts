import type { AcquirerPayment, AuthorizeResult, PlayedAcquirer } from '@cofre/vault'
import { TEST_CARDS } from '../test-data/test-data.js'

/** The card's number decides, so asking again with the same key gives the same answer. */
export function createSandboxAcquirer(): PlayedAcquirer {
  return {
    authorize({ card, key }) {
      const { number } = card.reveal()
      const outcome =
        TEST_CARDS.find((testCard) => testCard.number === number)?.outcome ?? 'approved'
      return Promise.resolve(resultOf(outcome, key.transactionCode))
    },
  }
}

type Outcome = (typeof TEST_CARDS)[number]['outcome']

function resultOf(outcome: Outcome, paymentId: string): AuthorizeResult {
  const payment: AcquirerPayment = {
    paymentId,
    nsu: undefined,
    authorizationCode: undefined,
    eci: undefined,
    networkTransactionId: undefined,
  }
  switch (outcome) {
    case 'approved':
      return { kind: outcome, payment, surplus: [] }
    case 'declined':
      return { kind: outcome, decline: GENERIC, payment }
    case 'pending':
    case 'review':
      return { kind: outcome, payment }
    case 'unknown':
      return { kind: outcome, detail: 'this test card’s acquirer does not answer' }
  }
}

const GENERIC = { reason: 'generic', retry: { kind: 'allowed', afterMs: 0 } } as const
