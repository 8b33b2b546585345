import { type Clock, DAY_MS } from '@cofre/contracts'
import { failingEndpoints } from '@cofre/events'
import type { Config } from '../config/config.js'
import { DATABASES } from '../installation/databases.js'
import { type Finding, about } from './finding.js'
import { stateOf } from './key-checks.js'

const SHOWN_MAX = 10

/** Reports endpoints of events that have accepted nothing for a day, though events wait. */
export async function checkEvents(config: Config, clock: Clock): Promise<readonly Finding[]> {
  if ((await stateOf(config, DATABASES.production)) !== 'ready') return []
  const failing = await DATABASES.production.use(config, ({ reader }) =>
    failingEndpoints(reader, clock.now() - DAY_MS),
  )
  if (failing.length === 0) return []
  const items = failing
    .slice(0, SHOWN_MAX)
    .map(({ code, storeId, failingSinceMs, lastRefusal }) => {
      const since = new Date(failingSinceMs ?? clock.now()).toISOString()
      const why = lastRefusal?.error ?? `status ${lastRefusal?.statusCode}`
      return `${code} of ${storeId}, since ${since}: ${why}`
    })
  const more = failing.length > SHOWN_MAX ? [`and ${failing.length - SHOWN_MAX} more`] : []
  return [
    about('events').warning(
      `endpoints accept none: ${[...items, ...more].join('; ')}`,
      'tell the store: its page Events shows them; secret_unreadable: rotate the secret of the endpoint there; events are deleted after 30 days',
    ),
  ]
}
