import type {
  AuthenticationRequest,
  CaptureAnswer,
  CardAnswer,
  CardCaptureOrder,
  CardChange,
  CardFields,
  CardOrder,
  CardRefundAnswer,
  CardRefundOrder,
  CardVoidOrder,
  CoveredDays,
} from '@cofre/contracts'
import type { GatewayOptions } from './create-gateway.js'

type RecalledAnswer = CardAnswer | undefined

/** A vault's records, and its answers, which a test may replace. */
export interface FakeCardVault {
  /** The orders that the vault received. */
  readonly orders: CardOrder[]
  /** The refunds of cards that the vault received. */
  readonly cardRefunds: CardRefundOrder[]
  /** The captures and voids of authorized cards that the vault received. */
  readonly captures: CardCaptureOrder[]
  readonly voids: CardVoidOrder[]
  /** The changes of charges that it reports until they are acknowledged. */
  readonly changes: CardChange[]
  /** The days of accounts that the vault received. */
  readonly covered: CoveredDays[]
  answerCards(answer: (order: CardOrder) => Promise<CardAnswer>): void
  /** Replaces the vault's reported outcome of an order. */
  recallCards(answer: () => RecalledAnswer | Promise<RecalledAnswer>): void
  /** Replaces the vault's answer to an authentication. */
  authenticateCards(
    answer: (request: AuthenticationRequest) => RecalledAnswer | Promise<RecalledAnswer>,
  ): void
  /** Replaces the vault's activation of a transaction's card. */
  activateCards(answer: (transactionCode: string) => Promise<void>): void
  /** Replaces the vault's answer to refunds. */
  refundCards(answer: (order: CardRefundOrder) => Promise<CardRefundAnswer>): void
  /** Replaces the vault's answer to captures and voids. */
  endAuthorized(answer: (order: CardCaptureOrder | CardVoidOrder) => Promise<CaptureAnswer>): void
  /** Replaces the vault's handling of card field settings. */
  setFields(answer: CardFields['setFieldSettings']): void
}

/** A vault that answers every authorization alike, until a test replaces an answer. */
export function openFakeCardVault(authorized: CardAnswer): {
  readonly cards: GatewayOptions['cards']
  readonly vault: FakeCardVault
} {
  const orders: CardOrder[] = []
  const cardRefunds: CardRefundOrder[] = []
  const captures: CardCaptureOrder[] = []
  const voids: CardVoidOrder[] = []
  const changes: CardChange[] = []
  const covered: CoveredDays[] = []
  const answers = defaultAnswers(authorized)
  const cards: GatewayOptions['cards'] = {
    authorize(order) {
      orders.push(order)
      return answers.answerCards(order)
    },
    recallAuthorization: async () => await answers.recallCards(),
    hasArrived: async () => (await answers.recallCards()) !== undefined,
    authenticate: async (request) => await answers.authenticateCards(request),
    activateSavedCard: (_, code) => answers.activateCards(code),
    refund(order) {
      cardRefunds.push(order)
      return answers.refundCards(order)
    },
    capture(order) {
      captures.push(order)
      return answers.endAuthorized(order)
    },
    voidCharge(order) {
      voids.push(order)
      return answers.endAuthorized(order)
    },
    changes: () => Promise.resolve([...changes]),
    acknowledge(_, ids) {
      for (const id of ids)
        changes.splice(
          changes.findIndex((change) => change.id === id),
          1,
        )
      return Promise.resolve()
    },
    coverAccounts(_, accounts) {
      covered.push(...accounts)
      return Promise.resolve()
    },
    setFieldSettings: (settings) => answers.setFields(settings),
  }
  const replace =
    <Name extends keyof Answers>(name: Name) =>
    (next: Answers[Name]): void => {
      answers[name] = next
    }
  const vault: FakeCardVault = {
    orders,
    cardRefunds,
    captures,
    voids,
    changes,
    covered,
    answerCards: replace('answerCards'),
    recallCards: replace('recallCards'),
    authenticateCards: replace('authenticateCards'),
    activateCards: replace('activateCards'),
    refundCards: replace('refundCards'),
    endAuthorized: replace('endAuthorized'),
    setFields: replace('setFields'),
  }
  return { cards, vault }
}

type Setters = Omit<
  FakeCardVault,
  'orders' | 'cardRefunds' | 'captures' | 'voids' | 'changes' | 'covered'
>
type Answers = { [Name in keyof Setters]: Parameters<Setters[Name]>[0] }

function defaultAnswers(authorized: CardAnswer): Answers {
  return {
    answerCards: () => Promise.resolve(authorized),
    recallCards: () => undefined,
    authenticateCards: () => undefined,
    activateCards: () => Promise.resolve(),
    refundCards: () => Promise.resolve({ kind: 'done' }),
    endAuthorized: () => Promise.resolve({ kind: 'done' }),
    setFields: ({ revision }) => Promise.resolve(revision),
  }
}
