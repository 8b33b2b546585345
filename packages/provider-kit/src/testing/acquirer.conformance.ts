// The promises of every acquirer's connector, tested at its simulator, which a driver starts.
import { describe, expect, it } from 'vitest'
import { approvedId } from '../../test/payments.js'
import { describeAccounts } from './acquirer-account.conformance.js'
import { describeCaptures } from './acquirer-captures.conformance.js'
import { describeCharges } from './acquirer-charges.conformance.js'
import { describeChecks } from './acquirer-checks.conformance.js'
import { describeLooks } from './acquirer-looks.conformance.js'
import { describeReturns } from './acquirer-returns.conformance.js'
import { describeSecrets } from './acquirer-secrets.conformance.js'
import {
  type AcquirerDriver,
  REFERENCE,
  type Stage,
  openStage,
  shopOf,
} from './acquirer-stage.conformance.js'

export function describeAcquirer(driver: AcquirerDriver): void {
  describe(`${driver.provider.name}, as every acquirer`, () => {
    const stage = openStage(driver)
    describeAccounts(stage)
    describeCharges(stage)
    describeChecks(stage)
    describeCaptures(stage)
    describeReturns(stage)
    describeLooks(stage)
    describeSecrets(stage)
    describeNotices(stage)
  })
}

function describeNotices(stage: Stage): void {
  it('knows its own notices, and takes nothing else for one', async () => {
    const paymentId = approvedId(await shopOf(stage).charge())
    const bodies = await stage.at.notices()
    expect(bodies.length).toBeGreaterThan(0)
    for (const body of bodies) {
      const reading = stage.connection.notices.read(body)
      expect(['events', 'hints']).toContain(reading.kind)
      expect(JSON.stringify(reading)).toMatch(new RegExp(`${paymentId}|${REFERENCE}`))
    }
    for (const body of [undefined, null, '', 'text', 7, [], {}, { a: [{}] }])
      expect(stage.connection.notices.read(body)).toEqual({ kind: 'none' })
  })
}
