import type { Environment } from '@cofre/contracts'
import type { Config } from '../config/config.js'
import { DATABASES } from '../installation/databases.js'
import { type Finding, about } from './finding.js'
import { stateOf } from './key-checks.js'

/**
 * The stores that allow card numbers as references, as new stores do. One in forty 16-digit order
 * numbers looks like a card number.
 */
export async function checkReferences(
  config: Config,
  environment: Environment,
): Promise<readonly Finding[]> {
  if ((await stateOf(config, DATABASES[environment])) !== 'ready') return []
  const allowing = await DATABASES[environment].use(config, ({ reader }) =>
    reader
      .selectFrom('merchants')
      .select('id')
      .where('enabled', '=', 1)
      .where('refuses_card_references', '=', 0)
      .orderBy('id')
      .execute(),
  )
  if (allowing.length === 0) return []
  const stores = allowing.map(({ id }) => id).join(', ')
  return [
    about(`references in ${environment}`).ok(
      `may be card numbers in ${stores}; if your order numbers never look like one: cofre store set ID --card-references refuse`,
    ),
  ]
}
