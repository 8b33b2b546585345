// The fixtures of the suite of acquirers: a simulator, a connector, and orders of one shop.
import {
  type Decline,
  MINUTE_MS,
  type MinorUnits,
  Secret,
  minorUnits,
  paymentReference,
} from '@cofre/contracts'
import { afterEach, beforeEach, expect } from 'vitest'
import {
  CHARGED,
  KEY,
  type TestClock,
  type TestConnection,
  type TestPlace,
  approvedId,
  connectionTo,
  order,
  untilKnown,
} from '../../test/payments.js'
import type { AccountAnswers } from '../account/index.js'
import type {
  AcquirerProvider,
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  EarlierAttempts,
  FindRequest,
  RefundRequest,
} from '../card/index.js'
import type { Call, Disturbances, Tally } from '../simulator/index.js'
import { type Heard, listenToAll } from './acquirer-heard.conformance.js'

/** A simulator with a new account. */
export interface SimulatedAcquirer {
  /** The place of its API, and a person's answers about the account, secrets as such. */
  readonly place: Omit<TestPlace, 'clock'>
  /** The clock of the simulator and the connector. */
  readonly clock: TestClock
  readonly disturbances: Disturbances
  /** The books' entries under one of our references. */
  tallyOf(reference: string): Tally
  /** The installments of the charge under one of our references, in its books. */
  installmentsOf(reference: string): number | undefined
  /** The bodies of the notices so far. */
  notices(): Promise<readonly unknown[]>
  close(): Promise<void>
}

/** An answer in the acquirer's own format. */
export interface OwnAnswer {
  readonly status: 400 | 404 | 409 | 422
  readonly body: object
}

export interface AcquirerDriver {
  readonly provider: AcquirerProvider
  open(): Promise<SimulatedAcquirer>
  /** More answers of a person about an account of kind live. */
  readonly liveAnswers: AccountAnswers
  /** Properties that make an order approved. */
  readonly approved: Partial<AuthorizeRequest>
  readonly declined: {
    readonly order: Partial<AuthorizeRequest>
    readonly reason: Decline['reason']
  }
  /** Recognizes the calls for charges, and for returns. */
  readonly isCharge: (call: Call) => boolean
  readonly isRefund: (call: Call) => boolean
  /** Recognizes the calls for captures; undefined if charges are always captured at once. */
  readonly isCapture?: (call: Call) => boolean
  /** Recognizes the calls for checks of a card; undefined without such a check. */
  readonly isCheck?: (call: Call) => boolean
  /** Its answer to a request that it finds wrong, with the given text. */
  readonly refusal: (text: string) => OwnAnswer
  /** Its answer, in its own format, when a charge under this name may exist nevertheless. */
  readonly doubtful: OwnAnswer
  /** The time after a charge until a refund is possible. */
  readonly refundableAfterMs: number
  /** True if a payment can be looked up; otherwise notices decide. */
  readonly finds: boolean
  /**
   * True if a captured payment can be cancelled by our reference; otherwise a notice brings its id.
   */
  readonly cancelsUnnamed: boolean
}

export const REFERENCE = paymentReference(KEY)
export const PART = minorUnits(4000)
/** No number begins with zero, so no duration or time looks like it. */
export const CVV = '073'

/** Earlier attempts, absent for long enough to be repeated. */
export function attemptsBefore(clock: TestClock): EarlierAttempts {
  const nowMs = clock.now()
  return { firstAtMs: nowMs - 10 * MINUTE_MS, absentSinceMs: nowMs - 5 * MINUTE_MS }
}

export interface Paid {
  readonly paymentId: string
  readonly chargedAtMs: number
  readonly chargedMinor: MinorUnits
}

/** One simulator and one connector for each test. */
export interface Stage {
  readonly driver: AcquirerDriver
  readonly at: SimulatedAcquirer
  readonly connection: TestConnection
  readonly heard: Heard
  orderOf(changes?: Partial<AuthorizeRequest>): AuthorizeRequest
}

/** After each test, no output, answer or address of the connector contains a secret. */
export function openStage(driver: AcquirerDriver): Stage {
  const stage = {
    driver,
    orderOf(changes = {}) {
      const asked = order({ ...driver.approved, ...changes })
      return { ...asked, card: new Secret({ ...asked.card.reveal(), cvv: CVV }) }
    },
  } as { -readonly [Part in keyof Stage]: Stage[Part] }
  beforeEach(async () => {
    stage.at = await driver.open()
    stage.heard = listenToAll()
    const place = { ...stage.at.place, clock: stage.at.clock }
    stage.connection = connectionTo(driver.provider, place)
  })
  afterEach(async () => {
    await stage.connection.acquirer.close()
    await stage.at.close()
    stage.heard.stop()
    const { answers, origin, queryOrigin = origin } = stage.at.place
    const card = stage.orderOf().card.reveal()
    const printed = [...stage.connection.printed, ...stage.heard.printed, ...stage.heard.addresses]
    expect(leaksIn(printed.join('\n'), { number: card.number, answers })).toEqual([])
    const strangers = stage.heard.addresses.filter(
      (address) => ![origin, queryOrigin].includes(new URL(address).origin),
    )
    expect(strangers).toEqual([])
  })
  return stage
}

/** The first six and the last four digits of a number may be shown. */
const SHOWN_DIGITS = 6

/** The names of the secrets in a text. */
export function leaksIn(
  text: string,
  { number, answers }: { readonly number: string; readonly answers: AccountAnswers },
): readonly string[] {
  const joined = text.replace(/(?<=\d)[ .-](?=\d)/g, '')
  const secrets = Object.entries(answers).flatMap(([name, answer]) =>
    answer instanceof Secret && text.includes(answer.reveal()) ? [name] : [],
  )
  return [
    ...(joined.includes(number.slice(0, SHOWN_DIGITS + 3)) ? ['card number'] : []),
    ...(new RegExp(`(?<![\\da-f.])${CVV}(?![\\da-f])`).test(text) ? ['CVV'] : []),
    ...secrets,
  ]
}

/** The shop's requests, once or until the result is known. */
export function shopOf(stage: Stage) {
  const authorize = (changes: Partial<AuthorizeRequest> = {}) =>
    stage.connection.acquirer.authorize(stage.orderOf(changes))
  const charge = (changes: Partial<AuthorizeRequest> = {}) =>
    untilKnown(stage.at.clock, (earlier) => authorize({ earlier, ...changes }))
  return {
    authorize,
    charge,
    /** For a connector that has it. */
    check: (changes: Partial<AuthorizeRequest> = {}) => {
      const { check } = stage.connection.acquirer
      if (check === undefined) throw new Error('no card is checked at this acquirer')
      const { key, card, brand, payer } = stage.orderOf(changes)
      return check({ key, card, brand, payer })
    },
    pay: async (): Promise<Paid> => {
      const paymentId = approvedId(await charge())
      expect(paymentId).not.toBe('')
      const chargedAtMs = stage.at.clock.now()
      stage.at.clock.advance(stage.driver.refundableAfterMs)
      return { paymentId, chargedAtMs, chargedMinor: CHARGED }
    },
    /** Only authorizes. */
    hold: async (): Promise<Paid> => {
      const paymentId = approvedId(await charge({ isCapturedLater: true }))
      expect(paymentId).not.toBe('')
      return { paymentId, chargedAtMs: stage.at.clock.now(), chargedMinor: CHARGED }
    },
    /** For a connector that has it. */
    capture: ({ paymentId }: Paid, changes: Partial<CaptureRequest> = {}) => {
      const { capture } = stage.connection.acquirer
      if (capture === undefined) throw new Error('nothing is captured later at this acquirer')
      const order = { authorizedMinor: CHARGED, amountMinor: CHARGED, orderedAtMs: 0 }
      return capture({ key: KEY, earlier: undefined, paymentId, ...order, ...changes })
    },
    /** Cancels a payment only if it is uncaptured. */
    release: (payment: Paid, changes: Partial<CancelRequest> = {}) =>
      stage.connection.acquirer.cancel({
        ...payment,
        key: KEY,
        earlier: undefined,
        isUncaptured: true,
        ...changes,
      }),
    refund: (payment: Paid, changes: Partial<RefundRequest> = {}) =>
      stage.connection.acquirer.refund({
        ...payment,
        key: KEY,
        earlier: undefined,
        refundId: '7',
        returnedBeforeMinor: minorUnits(0),
        amountMinor: PART,
        ...changes,
      }),
    cancel: (payment: Paid, changes: Partial<CancelRequest> = {}) =>
      stage.connection.acquirer.cancel({ ...payment, key: KEY, earlier: undefined, ...changes }),
    /** For a connector that has it. */
    find: (changes: Partial<FindRequest> = {}) => {
      const { find } = stage.connection.acquirer
      if (find === undefined) throw new Error('nothing is found at this acquirer')
      const { brand } = stage.orderOf()
      return find({ key: KEY, paymentId: undefined, amountMinor: CHARGED, brand, ...changes })
    },
    tally: () => stage.at.tallyOf(REFERENCE),
  }
}
