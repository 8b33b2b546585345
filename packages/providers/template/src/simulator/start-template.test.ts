import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEY, approvedId, connectionTo, order } from '../../../../provider-kit/test/payments.js'
import { openReceiverOf, testPartsOf } from '../../../../provider-kit/test/card-acquirer.js'
import { TEMPLATE } from '../card/index.js'
import { type RunningTemplate, startTemplate } from './start-template.js'

describe('the simulated Template', () => {
  let parts: Awaited<ReturnType<typeof testPartsOf>>
  let running: RunningTemplate
  let receiver: Awaited<ReturnType<typeof openReceiverOf>>
  beforeEach(async () => {
    parts = await testPartsOf('template')
    running = await startTemplate(parts)
    receiver = await openReceiverOf(running)
  })
  afterEach(async () => {
    await running.stop()
    await receiver.close()
  })

  async function storeOf(storeCode: string) {
    const account = { id: `acc-${storeCode}`, settings: { storeCode }, noticeUrl: receiver.url }
    const { answers } = await running.openAccount(account)
    const place = { origin: running.origin, caPem: running.authority, answers }
    return connectionTo(TEMPLATE, { ...place, clock: parts.clock }).acquirer
  }

  it('keeps the charges of each store to itself', async () => {
    const [one, other] = [await storeOf('one'), await storeOf('other')]
    const { amountMinor, brand } = order()
    const look = { key: KEY, paymentId: undefined, amountMinor, brand }
    const first = approvedId(await one.authorize(order()))
    expect(await other.find?.(look)).toEqual({ kind: 'absent' })
    const second = approvedId(await other.authorize(order()))
    expect([first, second]).not.toContain('')
    expect(second).not.toBe(first)
    expect(running.book.charges().map(({ store }) => store)).toEqual(['one', 'other'])
    await one.close()
    await other.close()
  })
})
