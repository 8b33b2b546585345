import type { Clock, Environment, Log } from '@cofre/contracts'
import { type Desk, type GatewayTables, transactionCodeSchema } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { type NotificationWork, deliveryWork } from './delivery-work.js'
import type { NotificationRecord, Notifications } from './model/notifications.js'
import type { NotificationSender } from './model/sending.js'
import { createStoreShares } from './model/store-shares.js'
import { outgoingOf } from './notification-delivery.js'
import { deleteOldAttempts } from './sql/attempt-deletion-sql.js'
import { backlog, lastRefusal } from './sql/backlog-sql.js'
import {
  listNotifications,
  notificationsAfter,
  notificationsOf,
} from './sql/notification-list-sql.js'
import { createSqlNotificationStore } from './sql/notification-store-sql.js'

export { createHttpSender } from './delivery/http-sender.js'
export {
  type TargetAllowance,
  acceptsTarget,
  hostAllowance,
  parseTargetAllowances,
} from './delivery/notification-target.js'
export type { NotificationRecord, Notifications } from './model/notifications.js'
export type { NotificationSender, SendResult } from './model/sending.js'

export interface NotificationsOptions {
  readonly environment: Environment
  /** The database of the environment's gateway. */
  readonly database: Database<GatewayTables>
  /** The environment's clock, which decides what is due. */
  readonly clock: Clock
  /** The machine's clock, for leases and signatures. */
  readonly machineClock: Clock
  readonly log: Log
  readonly sender: NotificationSender
  /** Milliseconds between attempts at a notification. */
  readonly notifyIntervalMs: number
  /** Milliseconds between a creation and the time when its notification is due. */
  readonly notifyDelayMs: number
}

/** Notifies stores of changes of their payments. */
export interface NotificationsRoom {
  readonly notifications: Notifications
  /** For the worker of the environment. */
  readonly work: readonly NotificationWork[]
}

/** The parts of the core that this room uses. */
interface NotifyingCore {
  readonly desk: {
    readonly payments: Pick<Desk['payments'], 'find'>
    readonly stores: Pick<Desk['stores'], 'find'>
  }
}

/** The notifications of a gateway's payments. */
export function createNotifications(
  options: NotificationsOptions,
  { desk: { payments, stores } }: NotifyingCore,
): NotificationsRoom {
  const { clock, database } = options
  const { reader } = database
  const store = createSqlNotificationStore(database)
  const parts = { ...options, notifications: store, shares: createStoreShares(), stores }
  return {
    notifications: {
      list: (storeId, query) => listNotifications(reader, storeId, query),
      after: (storeId, place) => notificationsAfter(reader, storeId, place),
      outgoing: (merchant, notification) => outgoingOf(options, notification, merchant),
      async resend(storeId, codeText, position) {
        const code = transactionCodeSchema.safeParse(codeText)
        const found = code.success ? await payments.find(storeId, code.data) : undefined
        return found !== undefined && (await store.resend(found.code, position, clock.now()))
      },
      ofPayment: (code) => notificationsOf(reader, code),
      notifyAgain: (code, status) => store.notifyAgain(code, status, clock.now()),
      backlog: () => backlog(reader),
    },
    work: [deliveryWork(parts)],
  }
}

/** The record of one environment's gateway. */
export function createNotificationRecord(database: Database<GatewayTables>): NotificationRecord {
  const { reader } = database
  return {
    backlog: () => backlog(reader),
    ofPayment: (code) => notificationsOf(reader, code),
    lastRefusal: (storeId) => lastRefusal(reader, storeId),
    forgetAttempts: (beforeMs) => deleteOldAttempts(database, beforeMs),
  }
}
