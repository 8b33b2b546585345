// A gateway of tests that serves the interfaces of all rooms, as an installation does.
import { servesLinks } from '../../links/src/links.fixture.js'
import { servesDesk } from '../../operator/src/operator.fixture.js'
import { servesSearch } from '../../search/src/search.fixture.js'
import type { GatewayParts } from './create-gateway.js'
import type { TestOptions } from './gateway.fixture.js'

export const servesRooms = {
  roomsOn: (parts: GatewayParts) =>
    [servesLinks, servesDesk, servesSearch].flatMap(({ roomsOn }) => roomsOn(parts)),
} satisfies TestOptions
