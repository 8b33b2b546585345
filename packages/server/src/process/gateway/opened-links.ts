import {
  type LinksOptions,
  type LinksRoom,
  type NotifyOfPause,
  createLinks,
  pausedCardsLetters,
} from '@cofre/links'
import type { Environment } from '@cofre/contracts'
import type { Gateway, GatewayOptions } from '@cofre/gateway'
import type { Config } from '../../config/config.js'
import { createMailer } from './mailer.js'
import type { ProcessParts } from '../parts.js'

type Opened = Pick<LinksOptions, 'clock' | 'database' | 'log' | 'machineClock' | 'randomBelow'> &
  Pick<GatewayOptions, 'installmentTerms' | 'purchaseLimits' | 'requestPolicy'>

/** The payment links of a gateway, under its rules. */
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
      notify: letters(config, environment),
      limitReached: (limit) => {
        metrics.declineLimits.inc({ environment, limit })
      },
      staffOf: (storeId) => people.staff.members(storeId),
    },
  })
}

/** Only in production: it has the stores' people, and sandbox developers decline cards all day. */
function letters(
  { smtp }: Pick<Config, 'smtp'>,
  environment: Environment,
): NotifyOfPause | undefined {
  if (smtp === undefined || environment !== 'production') return undefined
  return pausedCardsLetters(createMailer(smtp))
}
