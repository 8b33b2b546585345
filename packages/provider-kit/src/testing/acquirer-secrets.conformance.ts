// Whatever an acquirer repeats, no answer or output contains a card or a credential. The stage
// searches for them after each test of the suite.
import { Secret } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { effectOf, jsonOf, pageOf } from './acquirer-failures.conformance.js'
import { CVV, type Stage, leaksIn, shopOf } from './acquirer-stage.conformance.js'

export function describeSecrets(stage: Stage): void {
  const { driver } = stage
  const { authorize, cancel, capture, check, find, hold, pay, refund, release } = shopOf(stage)
  const cardText = () => {
    const { number } = stage.orderOf().card.reveal()
    return `card ${number} or ${number.replace(/(.{4})(?=.)/g, '$1 ')}`
  }
  const credentials = () =>
    Object.values(stage.at.place.answers)
      .filter((answer) => answer instanceof Secret)
      .map((answer) => answer.reveal())
      .join(' and ')
  /** The same text in each possible encoding. */
  const echoes = (text: string) => {
    const refusal = driver.refusal(text)
    return [
      jsonOf(refusal.status, refusal.body),
      jsonOf(401, refusal.body),
      jsonOf(409, refusal.body),
      jsonOf(500, refusal.body),
      jsonOf(200, { of: text, [text]: text }),
      pageOf(200, text),
      pageOf(400, text),
      pageOf(502, text),
    ]
  }

  describe('an acquirer that repeats what it was sent', () => {
    it('finds secrets in a text, so that the tests below are worth something', () => {
      const { answers } = stage.at.place
      const { number } = stage.orderOf().card.reveal()
      const names = Object.keys(answers).filter((name) => answers[name] instanceof Secret)
      const text = `${cardText()} cvv ${CVV} ${credentials()}`
      expect(leaksIn(text, { number, answers })).toEqual(['card number', 'CVV', ...names])
      expect(leaksIn('{"durationMs":73}', { number, answers })).toEqual([])
    })

    it('keeps the card and the account out of a charge’s answer', async () => {
      for (const failure of echoes(`${cardText()} cvv ${CVV} ${credentials()}`)) {
        stage.at.disturbances.add({ effect: effectOf(failure), on: driver.isCharge })
        expect((await authorize()).kind).not.toBe('done')
      }
    })

    it('keeps them out of a check’s answer', async () => {
      if (driver.isCheck === undefined) return
      for (const failure of echoes(`${cardText()} cvv ${CVV} ${credentials()}`)) {
        stage.at.disturbances.add({ effect: effectOf(failure), on: driver.isCheck })
        expect((await check()).kind).not.toBe('done')
      }
    })

    it('keeps them out of the answers to a refund, a cancel and a look', async () => {
      const payment = await pay()
      for (const failure of echoes(`${cardText()} ${credentials()}`)) {
        stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
        await refund(payment)
        await cancel(payment)
        if (driver.finds) await find(payment)
        stage.at.disturbances.clear()
      }
    })

    it('keeps them out of the answers to a capture and a release', async () => {
      if (driver.isCapture === undefined) return
      const payment = await hold()
      for (const failure of echoes(`${cardText()} ${credentials()}`)) {
        stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
        await capture(payment)
        await release(payment)
        stage.at.disturbances.clear()
      }
    })

    it('keeps them out of the answer to the check of its credentials', async () => {
      for (const failure of echoes(credentials())) {
        stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
        for (const step of stage.connection.steps) {
          const word = await step.run()
          stage.connection.printed.push(JSON.stringify(word))
        }
        stage.at.disturbances.clear()
      }
    })
  })
}
