import { inspect } from 'node:util'
import type { AccountAnswers, AccountKind } from '../src/account/index.js'
import { type Clock, type Log, type PaymentKey, Secret, minorUnits } from '@cofre/contracts'
import type {
  Acquirer,
  AcquirerAccount,
  AcquirerConnection,
  AcquirerProvider,
  AuthorizeRequest,
  EarlierAttempts,
  Doubt,
  AcquirerAnswer,
  ChargeDecision,
  ReturnDecision,
} from '../src/card/index.js'
import { authority } from './https-server.js'

export const PAN = '4111111111111111'
export const CAVV = 'AJkBBkhgQQAAAE4gSEJydQAAAAA='
export const KEY: PaymentKey = {
  installation: 'cofre',
  environment: 'production',
  transactionCode: '1042',
}
export const CHARGED = minorUnits(12_990)
/** A later use of a saved card, with all its ids. */
export const LINKED = {
  use: 'later',
  isSubscription: true,
  networkTransactionId: 'first',
  transactionLinkId: 'first_TLID-1',
  newest: { networkTransactionId: 'newest', transactionLinkId: 'newest_TLID' },
} as const

/** A test's clock, which only moves on request. */
export interface TestClock extends Clock {
  advance(ms: number): void
}

export function testClock(): TestClock {
  let nowMs = Date.parse('2026-11-22T15:00:00Z')
  return { now: () => nowMs, advance: (ms) => (nowMs += ms) }
}

export function order(changes: Partial<AuthorizeRequest> = {}): AuthorizeRequest {
  return {
    key: KEY,
    earlier: undefined,
    card: new Secret({ number: PAN, cvv: '737', month: '03', year: '2030' }),
    brand: 'visa',
    amountMinor: CHARGED,
    installments: 3,
    payer: {
      name: 'Ana Conceição de Souza',
      document: '52998224725',
      email: 'ana@example.com',
      ip: '203.0.113.7',
    },
    storedCredential: undefined,
    threeDSecure: undefined,
    ...changes,
  }
}

export interface TestConnection extends AcquirerConnection {
  /** Everything that the connector logged, returned or threw. */
  readonly printed: string[]
}

export interface TestPlace {
  readonly origin: string
  /** Default: the authority of test servers. */
  readonly caPem?: string
  readonly queryOrigin?: string
  readonly answers: AccountAnswers
  readonly clock: Clock
}

/** The account that a provider makes from answers. */
export function enteredAccount(
  provider: AcquirerProvider,
  kind: AccountKind,
  answers: AccountAnswers,
): AcquirerAccount {
  const entry = { profile: '', kind, answers, nowMs: 0 }
  const { settings, credentials } = provider.readAccount(entry)
  return { id: 'acc_1', kind, settings, secrets: { credentials } }
}

/** A connection to a server that replaces the acquirer; it records all output. */
export function connectionTo(
  provider: AcquirerProvider,
  { caPem = authority.certificatePem, answers, clock, ...origins }: TestPlace,
): TestConnection {
  const printed: string[] = []
  const write = (fields: Record<string, unknown>, message: string): void => {
    printed.push(JSON.stringify({ ...fields, message }))
  }
  const log: Log = { info: write, warn: write, error: write }
  const connection = provider.connect(enteredAccount(provider, 'simulator', answers), {
    clock,
    log,
    simulator: { ...origins, caPem },
    limits: { totalMs: 2000 },
  })
  return { ...connection, acquirer: remembering(connection.acquirer, printed), printed }
}

function remembering(acquirer: Acquirer, printed: string[]): Acquirer {
  const kept = async <T>(result: Promise<T>): Promise<T> => {
    try {
      const value = await result
      printed.push(JSON.stringify(value), inspect(value, { depth: 9 }))
      return value
    } catch (error) {
      printed.push(inspect(error, { depth: 9 }))
      throw error
    }
  }
  const { capture, check, find, completeAuthentication: complete } = acquirer
  return {
    authorize: (request) => kept(acquirer.authorize(request)),
    ...(complete !== undefined && {
      completeAuthentication: (request) => kept(complete(request)),
    }),
    ...(capture !== undefined && { capture: (request) => kept(capture(request)) }),
    cancel: (request) => kept(acquirer.cancel(request)),
    refund: (request) => kept(acquirer.refund(request)),
    ...(check !== undefined && { check: (request) => kept(check(request)) }),
    ...(find !== undefined && { find: (request) => kept(find(request)) }),
    close: () => acquirer.close(),
  }
}

/** The acquirer's id of an approved payment. */
export function approvedId(answer: AcquirerAnswer<ChargeDecision>): string {
  const isApproved = answer.kind === 'done' && answer.value.outcome === 'approved'
  return isApproved ? answer.value.payment.paymentId : ''
}

/** The time until an acquirer returns money. */
export function pauseAfter(answer: AcquirerAnswer<ReturnDecision>): number {
  const isEarly = answer.kind === 'done' && answer.value.state === 'too_early'
  return isEarly ? answer.value.retryAfterMs : 0
}

/**
 * Repeats a request as the vault does, until the outcome is known: each doubt is passed to the next
 * attempt.
 */
export async function untilKnown<T extends { kind: string }>(
  clock: TestClock,
  ask: (earlier: EarlierAttempts | undefined) => Promise<T | Doubt>,
): Promise<T> {
  let earlier: EarlierAttempts | undefined
  for (let attempt = 0; attempt < 8; attempt++) {
    const firstAtMs = earlier?.firstAtMs ?? clock.now()
    const result = await ask(earlier)
    if (!isUnknown(result)) return result
    earlier = { firstAtMs, absentSinceMs: result.absentSinceMs }
    clock.advance(result.retryAfterMs ?? 1000)
  }
  throw new Error('still unknown')
}

function isUnknown(result: { kind: string }): result is Doubt {
  return result.kind === 'unknown'
}
