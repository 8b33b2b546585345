// A vault captures and voids at the simulated acquirers by their connectors.
import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestAdyen, openTestAdyen } from '../../adyen/test/simulated-adyen.js'
import { openTestCielo } from '../../cielo/test/simulated-cielo.js'
import { PAN } from '../../../provider-kit/test/payments.js'
import {
  CHARGED,
  REFERENCE,
  Stage,
  connectedToAdyen,
  connectedToCielo,
  openVault,
} from './charged-at-acquirers.fixture.js'

const PART = 4_000

/** A vault at a simulated acquirer. */
interface Opened {
  readonly stage: Stage
  readonly tally: () => object
  readonly cut: (path: string, when: 'before' | 'after') => void
  readonly expire: (paymentId: string) => void
  readonly close: () => Promise<void>
}

async function openAdyen(): Promise<Opened> {
  const simulated = await openTestAdyen()
  const card = { number: PAN, cvv: '737', month: '03', year: '2030' }
  const connection = connectedToAdyen(simulated)
  return openedAt(simulated.adyen, { simulated, connection, card })
}

async function openCielo(): Promise<Opened> {
  const simulated = await openTestCielo()
  const card = { number: PAN, cvv: '123', month: '12', year: '2030' }
  const connection = connectedToCielo(simulated)
  return openedAt(simulated.cielo, { simulated, connection, card })
}

type Parts = ConstructorParameters<typeof Stage>[1]
type Acquirer = Pick<TestAdyen['adyen'], 'tallyOf' | 'disturbances'> & {
  readonly controls: Pick<TestAdyen['adyen']['controls'], 'expire'>
}

async function openedAt(
  { controls, disturbances, tallyOf }: Acquirer,
  parts: Parts & { readonly simulated: Pick<TestAdyen, 'close'> },
): Promise<Opened> {
  const stage = new Stage(await openVault(), parts)
  return {
    stage,
    tally: () => tallyOf(REFERENCE),
    cut(path, when) {
      disturbances.add({ effect: { kind: 'cut', when }, on: (call) => call.path.includes(path) })
    },
    expire(paymentId) {
      controls.expire(paymentId)
    },
    async close() {
      await parts.connection.acquirer.close()
      await stage.close()
      await parts.simulated.close()
    },
  }
}

const PATHS = {
  Adyen: { capture: '/captures', cancel: '/cancels' },
  Cielo: { capture: '/capture', cancel: '/void' },
}

describe.each([
  ['Adyen', openAdyen],
  ['Cielo', openCielo],
] as const)('a charge that is captured later, at the simulated %s', (name, open) => {
  let opened: Opened
  let stage: Stage
  beforeEach(async () => {
    opened = await open()
    stage = opened.stage
  })
  afterEach(() => opened.close())

  const authorize = async (): Promise<string> => {
    const answer = await stage.authorize()
    expect(answer).toMatchObject({ outcome: 'approved', isAuthorizedOnly: true })
    await stage.deliver()
    return (answer.kind === 'answered' ? answer.charge?.paymentId : undefined) ?? ''
  }
  /** Asks again until the acquirer has decided. */
  const untilEnded = async (ask: () => Promise<{ readonly kind: string }>): Promise<string> => {
    for (let i = 0; i < 10; i++) {
      const { kind } = await ask()
      if (kind !== 'in_process') return kind
      await stage.deliver()
      await stage.pass(MINUTE_MS)
    }
    return 'in_process'
  }

  it.each([CHARGED, PART])('is captured, %i centavos of it, and refunded', async (amountMinor) => {
    await authorize()
    expect(opened.tally()).toMatchObject({ captures: 0, refundedMinor: 0 })
    expect(await stage.refund(amountMinor)).toMatchObject({ kind: 'refused' })
    expect(await untilEnded(() => stage.capture(amountMinor))).toBe('done')
    expect(await stage.notified()).toEqual([{ kind: 'captured', amountMinor }])
    expect(await stage.voidCharge()).toEqual({ kind: 'overtaken', by: 'capture' })
    await stage.pass(DAY_MS + 10 * MINUTE_MS)
    expect(await untilEnded(() => stage.refund(amountMinor + 1, '8'))).toBe('refused')
    expect(await untilEnded(() => stage.refund(amountMinor, '9'))).toBe('done')
    expect(opened.tally()).toMatchObject({
      captures: 1,
      capturedMinor: amountMinor,
      refundedMinor: amountMinor,
    })
  })

  it.each(['before', 'after'] as const)(
    'is captured once if the answer is cut %s it was booked',
    async (when) => {
      await authorize()
      opened.cut(PATHS[name].capture, when)
      expect(await untilEnded(() => stage.capture(PART))).toBe('done')
      expect(opened.tally()).toMatchObject({ captures: 1, capturedMinor: PART, cancels: 0 })
      expect(await stage.notified()).toEqual([{ kind: 'captured', amountMinor: PART }])
    },
  )

  it.each(['before', 'after'] as const)(
    'is void once if the answer is cut %s it was booked',
    async (when) => {
      await authorize()
      opened.cut(PATHS[name].cancel, when)
      expect(await untilEnded(() => stage.voidCharge())).toBe('done')
      expect(await stage.capture()).toEqual({ kind: 'overtaken', by: 'void' })
      expect(opened.tally()).toMatchObject({ captures: 0, cancels: 1 })
      expect(await stage.notified()).toEqual([{ kind: 'released', by: 'void' }])
    },
  )

  it('has one end if a capture and a void are requested at once', async () => {
    await authorize()
    const both = await Promise.all([
      untilEnded(() => stage.capture()),
      untilEnded(() => stage.voidCharge()),
    ])
    expect(both.toSorted()).toEqual(['done', 'overtaken'])
    const isCaptured = both[0] === 'done'
    expect(opened.tally()).toMatchObject({
      captures: isCaptured ? 1 : 0,
      cancels: isCaptured ? 0 : 1,
    })
  })

  it('is reported as expired once its acquirer has released it', async () => {
    const paymentId = await authorize()
    opened.expire(paymentId)
    expect(await untilEnded(() => stage.capture())).toBe('released')
    expect(await stage.notified()).toMatchObject([{ kind: 'released' }])
    expect(opened.tally()).toMatchObject({ captures: 0 })
  })
})
