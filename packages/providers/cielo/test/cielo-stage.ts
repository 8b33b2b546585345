import { Secret } from '@cofre/contracts'
import type {
  AcquirerAnswer,
  AuthorizeRequest,
  ChargeDecision,
  CheckDecision,
  EarlierAttempts,
} from '@cofre/provider-kit/card'
import { afterEach, beforeEach, expect } from 'vitest'
import { CIELO } from '../src/card/cielo-provider.js'
import { CIELO_ANSWERS, type FakeCielo, startFakeCielo } from './fake-cielo.js'
import {
  CAVV,
  type TestClock,
  type TestConnection,
  connectionTo,
  order,
  testClock,
} from '../../../provider-kit/test/payments.js'

/** A card of Cielo's sandbox, approved by its last digit. */
export const APPROVED_CARD = '4024007153763191'

/** A connection to a new Cielo for each test. */
export interface CieloStage {
  server: FakeCielo
  clock: TestClock
  connection: TestConnection
  readonly authorize: (
    changes?: Partial<AuthorizeRequest>,
  ) => Promise<AcquirerAnswer<ChargeDecision>>
  readonly check: (
    changes?: Partial<AuthorizeRequest>,
  ) => Promise<AcquirerAnswer<CheckDecision> | undefined>
  readonly attempts: (absentSinceMs?: number) => EarlierAttempts
  readonly callsOf: (call: RegExp) => number
}

export function sandboxCard(number: string): AuthorizeRequest['card'] {
  return new Secret({ number, cvv: '123', month: '12', year: '2030' })
}

/** After each test, no output contained the card, and every request followed Cielo's manual. */
export function cieloStage(): CieloStage {
  const stage = {
    authorize: (changes = {}) =>
      stage.connection.acquirer.authorize(order({ card: sandboxCard(APPROVED_CARD), ...changes })),
    async check(changes = {}) {
      const asked = order({ card: sandboxCard(APPROVED_CARD), ...changes })
      const { key, card, brand, payer } = asked
      return await stage.connection.acquirer.check?.({ key, card, brand, payer })
    },
    attempts: (absentSinceMs) => ({ firstAtMs: stage.clock.now(), absentSinceMs }),
    callsOf: (call) =>
      stage.server.calls.filter(({ method, path }) => call.test(`${method} ${path}`)).length,
  } as CieloStage
  beforeEach(async () => {
    stage.server = await startFakeCielo()
    stage.clock = testClock()
    const { origin } = stage.server
    stage.connection = connectionTo(CIELO, { origin, answers: CIELO_ANSWERS, clock: stage.clock })
  })
  afterEach(async () => {
    await stage.connection.acquirer.close()
    await stage.server.close()
    expect(stage.server.objections).toEqual([])
    const printed = stage.connection.printed.join()
    for (const secret of [
      CIELO_ANSWERS.merchantKey,
      '402400715376319',
      '4024 0071',
      'CVV 123',
      CAVV,
    ])
      expect(printed).not.toContain(secret)
  })
  return stage
}
