// A test gateway with the desk.
import type { TestEngine } from '@cofre/sql/testing'
import type { TestGateway } from '../../gateway/src/gateway.fixture.js'
import {
  openTestNotifications,
  withNotifications,
} from '../../notifications/src/notifications.fixture.js'
import { type OperatorRoom, createOperator } from './index.js'

export function withOperator<Test extends Pick<TestGateway, 'gateway' | 'parts'>>(
  test: Test,
): Test & { readonly gateway: Test['gateway'] & OperatorRoom } {
  const { desk, notifications } = withNotifications(test).gateway
  const gateway = { ...test.gateway, ...createOperator(test.parts, { desk, notifications }) }
  return { ...test, gateway }
}

export const openTestOperator = async (
  engine: TestEngine,
  over?: Parameters<typeof openTestNotifications>[1],
) => withOperator(await openTestNotifications(engine, over))

export type TestOperator = Awaited<ReturnType<typeof openTestOperator>>
