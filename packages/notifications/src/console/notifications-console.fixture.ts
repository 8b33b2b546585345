import type { NotificationDetails } from '@cofre/gateway/room'
import { STORE_ID, openConsole, someOf } from '@cofre/panel/testing'
import type { StoreNotifications } from './notification-pages.js'
import { notificationsPage } from './page.js'

/** The notifications of a store; a test may change them. */
export interface HeldNotifications {
  /** Newest first. */
  readonly notifications: NotificationDetails[]
  /** `resend 1001 1`, one line a write. */
  readonly writes: string[]
}

export const holdNotifications = (): HeldNotifications => ({ notifications: [], writes: [] })

export function fakeNotifications(
  held: HeldNotifications,
): NonNullable<StoreNotifications['sandbox']> {
  return {
    list: (storeId, query) =>
      Promise.resolve(someOf(storeId === STORE_ID ? held.notifications : [], query)),
    resend(storeId, code, position) {
      const isFound =
        storeId === STORE_ID &&
        held.notifications.some(
          ({ notification }) =>
            String(notification.transactionCode) === code && notification.position === position,
        )
      if (isFound) held.writes.push(`resend ${code} ${position}`)
      return Promise.resolve(isFound)
    },
  }
}

/** A console of both environments with the page of notifications. */
export function openNotificationsConsole() {
  const [inProduction, inSandbox] = [holdNotifications(), holdNotifications()]
  const page = notificationsPage({
    production: fakeNotifications(inProduction),
    sandbox: fakeNotifications(inSandbox),
  })
  return { ...openConsole({}, [page]), inProduction, inSandbox }
}
