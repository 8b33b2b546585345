// A gateway with the desk of its people on it.
import type { TestEngine } from '@cofre/sql/testing'
import { type TestGateway, openTestGateway } from '../../gateway/src/gateway.fixture.js'
import { type OperatorRoom, createOperator } from './index.js'

/** The gateway of a test, with the desk on it. */
export function withOperator<Test extends Pick<TestGateway, 'gateway' | 'parts'>>(
  test: Test,
): Test & { readonly gateway: Test['gateway'] & OperatorRoom } {
  const gateway = { ...test.gateway, ...createOperator(test.parts, test.gateway) }
  return { ...test, gateway }
}

export const openTestOperator = async (
  engine: TestEngine,
  over?: Parameters<typeof openTestGateway>[1],
) => withOperator(await openTestGateway(engine, over))

export type TestOperator = Awaited<ReturnType<typeof openTestOperator>>
