import { type LinksOptions, type LinksRoom, createLinks } from '@cofre/links'
import type { Gateway, GatewayOptions } from '@cofre/gateway'
import { lettersOf } from './paused-cards-letter.js'
import type { ProcessParts } from './parts.js'

type Opened = Pick<LinksOptions, 'clock' | 'database' | 'log' | 'machineClock' | 'randomBelow'> &
  Pick<GatewayOptions, 'installmentTerms' | 'purchaseLimits' | 'requestPolicy'>

/** The payment links of a gateway, judged by its rules. */
export function openLinks(
  { config, telemetry: { metrics } }: ProcessParts,
  { environment, people, roomPayments }: Gateway,
  { clock, database, log, machineClock, randomBelow, ...rules }: Opened,
): LinksRoom {
  return createLinks({
    clock,
    database,
    log,
    machineClock,
    randomBelow,
    payments: roomPayments,
    rules,
    reports: {
      environment,
      ...lettersOf(config, environment),
      limitReached: (limit) => {
        metrics.declineLimits.inc({ environment, limit })
      },
      staffOf: (storeId) => people.staff.members(storeId),
    },
  })
}
