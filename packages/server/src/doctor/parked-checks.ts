import { parkedWork } from '@cofre/vault'
import type { Config } from '../config/config.js'
import { DATABASES } from '../installation/databases.js'
import { type Finding, about } from './finding.js'
import { stateOf } from './key-checks.js'

const SHOWN_MAX = 10

/** Reports work that is parked until a person acts. Only its own charge waits for it. */
export async function checkParked(config: Config): Promise<readonly Finding[]> {
  if ((await stateOf(config, DATABASES.vault)) !== 'ready') return []
  const parked = await DATABASES.vault.use(config, ({ reader }) => parkedWork(reader))
  if (parked.length === 0) return []
  const items = parked
    .slice(0, SHOWN_MAX)
    .map(({ environment, transactionCode, what, sinceMs }) => {
      const since = new Date(sinceMs).toISOString()
      return `${transactionCode} in ${environment}, since ${since}: ${what}`
    })
  const more = parked.length > SHOWN_MAX ? [`and ${parked.length - SHOWN_MAX} more`] : []
  return [
    about('parked work').warning(
      [...items, ...more].join('; '),
      'compare each charge with its acquirer’s site; it continues with the charge’s next event, or with cofre transactions report-again: see docs/operating.md, What rests',
    ),
  ]
}
