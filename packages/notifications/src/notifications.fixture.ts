// A gateway that notifies shops.
import type { Database } from '@cofre/sql'
import type { TestEngine } from '@cofre/sql/testing'
import { type GatewayTables, type TransactionCode, storedAttempt } from '@cofre/gateway/room'
import {
  ACKNOWLEDGED,
  type TestGateway,
  type TestOptions,
  openTestGateway,
} from '../../gateway/src/gateway.fixture.js'
import type { DueWork } from '@cofre/work'
import { type DeliveryParts, deliveryWork } from './delivery-work.js'
import { type NotificationSender, type NotificationsRoom, createNotifications } from './index.js'
import { createStoreShares } from './model/store-shares.js'
import { type NotificationStore, createSqlNotificationStore } from './sql/notification-store-sql.js'

/** How a test's shops receive notifications. */
export interface TestSending {
  /** Default: every shop acknowledges. */
  readonly sender?: NotificationSender
  readonly notifyIntervalMs?: number
}

/** The dependencies of sending notifications. */
export interface TestDeliveries extends DeliveryParts {
  readonly notifications: NotificationStore
}

export interface TestNotifications extends Omit<TestGateway, 'gateway'> {
  readonly gateway: TestGateway['gateway'] & Pick<NotificationsRoom, 'notifications'>
  readonly deliveries: TestDeliveries
}

export function deliveriesOf(
  {
    clock,
    database,
    environment,
    log,
    machineClock,
    merchants,
    notifyDelayMs,
  }: TestGateway['parts'],
  {
    sender = { send: () => Promise.resolve(ACKNOWLEDGED) },
    notifyIntervalMs = 600_000,
  }: TestSending = {},
): TestDeliveries {
  return {
    clock,
    environment,
    log,
    machineClock,
    notifyDelayMs,
    notifyIntervalMs,
    sender,
    notifications: createSqlNotificationStore(database),
    shares: createStoreShares(),
    stores: merchants,
  }
}

/** The gateway of a test, whose worker sends its notifications too. */
export function withNotifications<Test extends Pick<TestGateway, 'gateway' | 'parts'>>(
  test: Test,
  sending: TestSending = {},
): Test & Pick<TestNotifications, 'deliveries' | 'gateway'> {
  const { database } = test.parts
  const deliveries = deliveriesOf(test.parts, sending)
  const { notifications } = createNotifications({ ...deliveries, database }, test.gateway)
  const startWorker = (onTop: readonly DueWork[] = []) =>
    test.gateway.startWorker([deliveryWork(deliveries), ...onTop])
  const gateway: TestNotifications['gateway'] = {
    ...test.gateway,
    notifications,
    startWorker,
  }
  return { ...test, gateway, deliveries }
}

export async function openTestNotifications(
  engine: TestEngine,
  { sender, notifyIntervalMs, ...over }: TestOptions & TestSending = {},
): Promise<TestNotifications> {
  const sending = {
    ...(sender !== undefined && { sender }),
    ...(notifyIntervalMs !== undefined && { notifyIntervalMs }),
  }
  return withNotifications(await openTestGateway(engine, over), sending)
}

export async function attemptsOf({ reader }: Database<GatewayTables>, code: TransactionCode) {
  const rows = await reader
    .selectFrom('notification_attempts')
    .selectAll()
    .where('transaction_code', '=', code)
    .orderBy('position')
    .orderBy('attempt')
    .execute()
  return rows.map((row) => ({ position: row.position, ...storedAttempt.read(row) }))
}
