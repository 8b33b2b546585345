// The room on the gateway of a test.
import type { TestEngine } from '@cofre/sql/testing'
import type { Database } from '@cofre/sql'
import type { GatewayParts } from '../../gateway/src/create-gateway.js'
import {
  type TestGateway,
  type TestOptions,
  openTestGateway,
} from '../../gateway/src/gateway.fixture.js'
import { openPixGateway } from '../../banks/src/payment/pix-bank.fixture.js'
import { createRoomPayments } from '../../gateway/src/payment/room-payments-service.js'
import { type LinksOptions, createLinks, linkParts } from './create-links.js'
import type { PauseReports } from './model/link-rules.js'
import type { RoomTables } from './sql/link-tables.js'

function optionsOn(parts: GatewayParts, reports: Partial<PauseReports> = {}): LinksOptions {
  const { clock, database, environment, log, machineClock, people, randomBelow } = parts
  const { installmentTerms, purchaseLimits, requestPolicy } = parts
  return {
    clock,
    database,
    log,
    machineClock,
    randomBelow,
    payments: createRoomPayments(parts),
    rules: { installmentTerms, purchaseLimits, requestPolicy },
    reports: { environment, staffOf: (storeId) => people.staff.members(storeId), ...reports },
  }
}

/** The room's use cases over those of a gateway. */
export const linkPartsOn = (parts: GatewayParts) => linkParts(optionsOn(parts))

/** For a gateway that serves the routes of links. */
export const servesLinks = {
  roomsOn: (parts: GatewayParts) => [createLinks(optionsOn(parts)).routes],
} satisfies TestOptions

/** @param test - A gateway that {@link servesLinks}. */
export function withLinks<Test extends Pick<TestGateway, 'parts'>>(
  test: Test,
  reports?: Partial<PauseReports>,
) {
  const options = optionsOn(test.parts, reports)
  // The gateway's migrations make the room's tables.
  const own = test.parts.database as unknown as Database<RoomTables>
  return Object.assign(test, {
    room: createLinks(options),
    linkParts: linkParts(options),
    own,
  })
}

/** A gateway with links. */
export const openLinks = async (engine: TestEngine, over: TestOptions = {}) =>
  withLinks(await openTestGateway(engine, { ...over, ...servesLinks }))

export type LinkGateway = Awaited<ReturnType<typeof openLinks>>

/** A gateway with links whose stores receive PIX at a bank. */
export const openPixLinks = async (
  engine: TestEngine,
  over: Parameters<typeof openPixGateway>[1] = {},
  reports?: Partial<PauseReports>,
) => withLinks(await openPixGateway(engine, { ...over, ...servesLinks }), reports)

export type PixLinkGateway = Awaited<ReturnType<typeof openPixLinks>>
