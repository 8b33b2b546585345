// A test gateway with the desk.
import type { TestEngine } from '@cofre/sql/testing'
import { type GatewayParts, gatewayOf } from '../../gateway/src/create-gateway.js'
import type { TestGateway, TestOptions } from '../../gateway/src/gateway.fixture.js'
import {
  openTestNotifications,
  withNotifications,
} from '../../notifications/src/notifications.fixture.js'
import { type OperatorRoom, createOperator } from './index.js'

/** For a gateway that serves the interfaces of the desk. */
export const servesDesk = {
  roomsOn: (parts: GatewayParts) => [
    withOperator({ gateway: gatewayOf(parts), parts }).gateway.deskRoutes,
  ],
} satisfies TestOptions

/** The gateway of a test, with the desk. */
export function withOperator<Test extends Pick<TestGateway, 'gateway' | 'parts'>>(
  test: Test,
): Test & { readonly gateway: Test['gateway'] & OperatorRoom } {
  const { desk, listing, notifications } = withNotifications(test).gateway
  const gateway = {
    ...test.gateway,
    ...createOperator(test.parts, { desk, listing, notifications }),
  }
  return { ...test, gateway }
}

export const openTestOperator = async (
  engine: TestEngine,
  over?: Parameters<typeof openTestNotifications>[1],
) => withOperator(await openTestNotifications(engine, { ...servesDesk, ...over }))

export type TestOperator = Awaited<ReturnType<typeof openTestOperator>>
