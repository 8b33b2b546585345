// A person's answers about an account, its stored settings, and the hosts of its calls.
import tls from 'node:tls'
import { inspect } from 'node:util'
import { Secret } from '@cofre/contracts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CHARGED, KEY, enteredAccount } from '../../test/payments.js'
import type { AccountAnswers } from '../account/index.js'
import { effectOf, jsonOf } from './acquirer-failures.conformance.js'
import { listenToAddresses } from './acquirer-heard.conformance.js'
import { PART, type Stage, shopOf } from './acquirer-stage.conformance.js'

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** Not an answer to any question, and in none of our texts. */
const WRONG = '\u00bfgeheim-4711?\n\u{1f4b3}'

export function describeAccounts(stage: Stage): void {
  const { provider } = stage.driver
  const profile = provider.profiles[0]?.name ?? ''
  const read = (changes: AccountAnswers = {}) =>
    provider.readAccount({
      profile,
      kind: 'test',
      answers: { ...stage.at.place.answers, ...changes },
      nowMs: 0,
    })
  const refuses = (question: string) =>
    expect.objectContaining({ name: 'AccountError', question }) as Error
  const errorOf = (changes: AccountAnswers): unknown => {
    try {
      read(changes)
    } catch (error) {
      return error
    }
    return undefined
  }

  describe('an account', () => {
    it('has a question for each answer, and keeps secrets sealed', () => {
      const asked = provider.questions(profile)
      const kinds = Object.fromEntries(asked.map(({ name, kind }) => [name, kind]))
      const shown = JSON.stringify(read())
      for (const [name, answer] of Object.entries(stage.at.place.answers)) {
        expect([name, kinds[name]]).toEqual([name, answer instanceof Secret ? 'secret' : 'text'])
        if (answer instanceof Secret) expect(shown).not.toContain(answer.reveal())
      }
    })

    it('names answers that are missing, or files, by their questions', () => {
      for (const { name, isOptional } of provider.questions(profile)) {
        if (isOptional) expect(() => read({ [name]: ' ' })).not.toThrow()
        else expect(() => read({ [name]: ' ' })).toThrow(refuses(name))
        expect(() => read({ [name]: Buffer.from('file') })).toThrow(refuses(name))
      }
    })

    it('never repeats an answer that is wrong', () => {
      for (const { name, kind } of provider.questions(profile)) {
        const given = stage.at.place.answers[name]
        const right = given instanceof Secret ? given.reveal() : String(given ?? '')
        for (const wrong of [WRONG, `${right}${WRONG}`]) {
          const error = errorOf({ [name]: kind === 'secret' ? new Secret(wrong) : wrong })
          const printed = inspect(error, { depth: 9 })
          expect(printed).not.toContain('geheim')
          if (right !== '') expect(printed).not.toContain(right)
        }
      }
    })

    it('connects, to a simulator if it is of that kind', async () => {
      const account = enteredAccount(provider, 'test', stage.at.place.answers)
      const tools = { clock: stage.at.clock, log: SILENT }
      const { acquirer, steps } = provider.connect(account, tools)
      expect(steps).toHaveLength(1)
      await acquirer.close()
      expect(() => provider.connect({ ...account, kind: 'simulator' }, tools)).toThrow('simulator')
      expect(() => provider.connect({ ...account, settings: {} }, tools)).toThrow()
    })

    it('shows its credentials to the acquirer without a charge', async () => {
      expect(await stage.connection.steps[0]?.run()).toMatchObject({ isDone: true })
      expect(shopOf(stage).tally()).toMatchObject({ attempts: 0 })
    })

    it.each([401, 403, 500] as const)(
      'has no credentials that were accepted where the answer is %i',
      async (status) => {
        const effect = effectOf(jsonOf(status, {}))
        stage.at.disturbances.add({ effect, times: 9 })
        expect(await stage.connection.steps[0]?.run()).toMatchObject({ isDone: false })
      },
    )

    it('of kind live asks other hosts than one of kind test', async () => {
      const { answers } = stage.at.place
      // The stage checks those of the simulator after each test.
      stage.heard.stop()
      const test = await hostsAsked(stage, 'test', answers)
      const live = await hostsAsked(stage, 'live', { ...answers, ...stage.driver.liveAnswers })
      expect(test.size * live.size).toBeGreaterThan(0)
      expect([...live].filter((host) => test.has(host))).toEqual([])
    })
  })
}

/** The hosts that an account calls; no call leaves this process. */
async function hostsAsked(stage: Stage, kind: 'test' | 'live', answers: AccountAnswers) {
  const { provider } = stage.driver
  const hosts = new Set<string>()
  const connecting = vi.spyOn(tls, 'connect').mockImplementation(() => {
    throw new Error('no call leaves this process')
  })
  const stop = listenToAddresses((address) => hosts.add(new URL(address).host))
  onTestFinished(() => {
    connecting.mockRestore()
    stop()
  })
  const tools = { clock: stage.at.clock, log: SILENT }
  const { acquirer, steps } = provider.connect(enteredAccount(provider, kind, answers), tools)
  const earlier = undefined
  const paymentId = 'd1b0f3a2-0c5e-4d1f-8a5e-2b7c9e6f1a34'
  const payment = { key: KEY, earlier, paymentId, chargedMinor: CHARGED, chargedAtMs: 0 }
  const returned = { refundId: '7', returnedBeforeMinor: PART, amountMinor: PART }
  await acquirer.authorize(stage.orderOf())
  await acquirer.cancel(payment)
  await acquirer.cancel({ ...payment, paymentId: undefined })
  await acquirer.refund({ ...payment, ...returned })
  await acquirer.cancel({ ...payment, isUncaptured: true })
  await acquirer.capture?.({
    ...payment,
    authorizedMinor: CHARGED,
    amountMinor: PART,
    orderedAtMs: 0,
  })
  const { brand } = stage.orderOf()
  await acquirer.find?.({ key: KEY, paymentId, amountMinor: CHARGED, brand })
  for (const step of steps) await step.run()
  await acquirer.close()
  expect(connecting).toHaveBeenCalled()
  connecting.mockClear()
  stop()
  return hosts
}
