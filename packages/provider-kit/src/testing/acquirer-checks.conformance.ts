// A card's check charges nothing. If its answer is lost, nothing is known of the card.
import { checkReference } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { KEY } from '../../test/payments.js'
import { AT_THE_DOOR, NOT_UNDERSTOOD, effectOf, jsonOf } from './acquirer-failures.conformance.js'
import { type Stage, shopOf } from './acquirer-stage.conformance.js'

export function describeChecks(stage: Stage): void {
  const { driver } = stage
  const { isCheck } = driver
  if (isCheck === undefined) {
    it('has no check of a card', () => {
      expect(stage.connection.acquirer.check).toBeUndefined()
    })
    return
  }
  const { check, charge, tally } = shopOf(stage)

  describe('a check of a card', () => {
    const checked = () => stage.at.tallyOf(checkReference(KEY))

    it('approves a card that can be charged, with the brand’s id, and charges nothing', async () => {
      const networkTransactionId = expect.stringMatching(/./) as string
      expect(await check()).toMatchObject({
        kind: 'done',
        value: { outcome: 'approved', ids: { networkTransactionId } },
      })
      expect(tally()).toMatchObject({ attempts: 0 })
      expect(checked()).toMatchObject({ chargedMinor: 0 })
    })

    it('declines a card with the reason', async () => {
      expect(await check(driver.declined.order)).toMatchObject({
        kind: 'done',
        value: { outcome: 'declined', decline: { reason: driver.declined.reason } },
      })
    })

    it('never stands in for a charge of the same number', async () => {
      await check()
      expect(await charge()).toMatchObject({ kind: 'done', value: { outcome: 'approved' } })
      expect(tally()).toMatchObject({ charges: 1 })
    })

    it.each(['before', 'after'] as const)(
      'says nothing of the card when its answer is cut %s it was made, and is not repeated',
      async (when) => {
        let calls = 0
        const on = (call: Parameters<typeof isCheck>[0]) => isCheck(call) && ++calls > 0
        stage.at.disturbances.add({ effect: { kind: 'cut', when }, on })
        expect(await check()).toMatchObject({ kind: 'unknown' })
        expect(calls).toBe(1)
      },
    )

    const refusal = driver.refusal('wrong request')
    it.each([
      ['a refusal in its own words', jsonOf(refusal.status, refusal.body), { kind: 'refused' }],
      ...AT_THE_DOOR,
      ...NOT_UNDERSTOOD.map(([name, failure]) => [name, failure, { kind: 'unknown' }] as const),
    ] as const)('with %s has the answer’s result, and no more', async (_, failure, expected) => {
      stage.at.disturbances.add({ effect: effectOf(failure), on: isCheck })
      expect(await check()).toMatchObject(expected)
    })
  })
}
