import { MINUTE_MS } from '@cofre/contracts'
import { OTHER_STORE_ID, STORE_ID, refusedNotification } from '@cofre/panel/testing'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll } from 'vitest'
import { MERCHANT, NOW_MS, cardRequest } from '../../../gateway/src/gateway.fixture.js'
import { type TestNotifications, openTestNotifications } from '../notifications.fixture.js'
import { fakeNotifications, holdNotifications } from './notifications-console.fixture.js'
import { describeShownNotifications } from './shown-notifications.conformance.js'

const OTHER_STORE = { ...MERCHANT, id: 'store-2' }

const opened: TestNotifications[] = []
afterAll(async () => {
  for (const test of opened) await test.close()
})

for (const engine of TEST_ENGINES)
  describeShownNotifications(`by the room, on ${engine.name}`, async () => {
    let nowMs = NOW_MS
    const clock = { now: () => nowMs }
    const test = await openTestNotifications(engine, { clock, machineClock: clock })
    opened.push(test)
    await test.gateway.saveMerchant(OTHER_STORE)
    return {
      notifications: test.gateway.notifications,
      storeId: MERCHANT.id,
      otherStoreId: OTHER_STORE.id,
      async notify(count) {
        const codes: string[] = []
        while (codes.length < count) {
          nowMs += MINUTE_MS
          const body = cardRequest(`order-${codes.length}`)
          const { json } = await test.send('POST', '/transactions', { body })
          codes.push((json.transaction as { code: string }).code)
        }
        return codes
      },
    }
  })

describeShownNotifications('by the fake of tests of pages', () => {
  const held = holdNotifications()
  return Promise.resolve({
    notifications: fakeNotifications(held),
    storeId: STORE_ID,
    otherStoreId: OTHER_STORE_ID,
    notify(count) {
      const { notification } = refusedNotification()
      const codes = Array.from(
        { length: count },
        (_, index) => notification.transactionCode + index,
      )
      for (const code of codes)
        held.notifications.unshift(
          refusedNotification({
            notification: {
              ...notification,
              transactionCode: code as typeof notification.transactionCode,
            },
          }),
        )
      return Promise.resolve(codes.map(String))
    },
  })
})
