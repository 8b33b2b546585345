import { Secret, decided } from '@cofre/contracts'
import type {
  AcquirerAnswer,
  AcquirerPayment,
  AuthorizeRequest,
  ChargeDecision,
  CheckDecision,
} from '@cofre/provider-kit/card'
import type { PlayedAcquirer } from '@cofre/vault'
import {
  SIMULATED_CARD,
  SIMULATED_CARD_CODE,
  TEST_CARDS,
  type TestCard,
  WRONG_CODE,
  WRONG_CODES,
} from '../test-data/test-data.js'
import { bankPageOf } from './bank-page.js'

/** The card's number decides, so a repeated request with the same key gets the same answer. */
export function createSandboxAcquirer(): PlayedAcquirer {
  return {
    authorize(request) {
      const { number, cvv = '' } = request.card.reveal()
      const testCard = TEST_CARDS.find((known) => known.number === number)
      const isWrong = request.storedCredential?.use === 'later' && WRONG_CODES.includes(cvv)
      return Promise.resolve(isWrong ? wrongCode(request) : resultOf(testCard, request))
    },

    savedCard: (code) => (code === SIMULATED_CARD_CODE ? new Secret(SIMULATED_CARD) : undefined),

    check({ card, key }) {
      const { number } = card.reveal()
      const testCard = TEST_CARDS.find((known) => known.number === number)
      return Promise.resolve(checkOf(testCard, paymentOf(key)))
    },

    completeAuthentication({ key, result }) {
      const payment = paymentOf(key)
      switch (result.reveal()) {
        case 'approved':
          return Promise.resolve(decided({ outcome: 'approved', payment, surplus: [] }))
        case 'failed':
          return Promise.resolve(
            decided({ outcome: 'declined', decline: NOT_AUTHENTICATED, payment }),
          )
        default: {
          const detail = 'no result of the sandbox’s bank'
          return Promise.resolve({ kind: 'refused', detail })
        }
      }
    },
  }
}

function paymentOf({ transactionCode }: AuthorizeRequest['key']): AcquirerPayment {
  return {
    paymentId: transactionCode,
    nsu: undefined,
    authorizationCode: undefined,
    eci: undefined,
    networkTransactionId: undefined,
  }
}

function wrongCode({ key }: AuthorizeRequest): AcquirerAnswer<ChargeDecision> {
  const payment = paymentOf(key)
  return decided({ outcome: 'declined', decline: WRONG_CODE ?? GENERIC, payment })
}

function resultOf(
  testCard: TestCard | undefined,
  { key, authenticationReturnUrl: returnUrl }: AuthorizeRequest,
): AcquirerAnswer<ChargeDecision> {
  const payment = paymentOf(key)
  const outcome = testCard?.outcome ?? 'approved'
  switch (outcome) {
    case 'approved':
      return decided({ outcome, payment, surplus: [] })
    case 'declined':
      return decided({ outcome, decline: testCard?.decline ?? GENERIC, payment })
    case 'pending':
    case 'review':
      return decided({ outcome, payment })
    case 'authenticate':
      return decided(
        returnUrl === undefined
          ? { outcome: 'declined', decline: NOT_AUTHENTICATED, payment }
          : { outcome, action: { method: 'GET', url: bankPageOf(returnUrl), fields: {} } },
      )
    case 'unknown':
      return { kind: outcome, detail: 'this test card’s acquirer does not answer' }
  }
}

/** Without a payment, no holder is authenticated, and nothing is decided later. */
function checkOf(
  testCard: TestCard | undefined,
  ids: AcquirerPayment,
): AcquirerAnswer<CheckDecision> {
  switch (testCard?.outcome) {
    case undefined:
    case 'approved':
      return decided({ outcome: 'approved', ids })
    case 'declined':
      return decided({ outcome: 'declined', decline: testCard.decline ?? GENERIC })
    case 'authenticate':
      return decided({ outcome: 'declined', decline: NOT_AUTHENTICATED })
    case 'pending':
    case 'review':
    case 'unknown':
      return { kind: 'unknown', detail: 'this test card’s acquirer does not answer' }
  }
}

const NOT_AUTHENTICATED = {
  reason: 'authentication_required',
  retry: { kind: 'allowed', afterMs: 0 },
} as const
const GENERIC = { reason: 'generic', retry: { kind: 'allowed', afterMs: 0 } } as const
