import { type Clock, type Environment, MINUTE_MS } from '@cofre/contracts'
import { waitingFields } from '@cofre/gateway/upkeep'
import type { Config } from '../config/config.js'
import { DATABASES } from '../installation/databases.js'
import { type Finding, about } from './finding.js'
import { stateOf } from './key-checks.js'

/** A worker notifies the vault within a second. */
const WAITING_WARNING_MS = MINUTE_MS

/** Checks that the vault knows the pages that may show the card fields of stores. */
export async function checkCardFields(
  config: Config,
  clock: Clock,
  environment: Environment,
): Promise<readonly Finding[]> {
  if ((await stateOf(config, DATABASES[environment])) !== 'ready') return []
  const waiting = await DATABASES[environment].use(config, ({ reader }) => waitingFields(reader))
  const late = waiting.filter(({ sinceMs }) => sinceMs <= clock.now() - WAITING_WARNING_MS)
  if (late.length === 0) return []
  const stores = late.map(({ storeId }) => storeId).join(', ')
  return [
    about(`card fields in ${environment}`).warning(
      `the vault does not have the settings of ${stores} yet`,
      'a worker sends them: check that one runs and reaches the vault, and that the vault is not older than the gateway',
    ),
  ]
}
