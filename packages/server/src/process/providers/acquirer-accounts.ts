import type { CardAccounts, Clock, Environment, Log } from '@cofre/contracts'
import type { AccountsOfStore } from '@cofre/operator'
import { loadAcquirerTerms } from '@cofre/providers'
import { createCardAccounts } from './shown-accounts.js'

interface AcquirerAccountsDeps {
  readonly environment: Environment
  /** In this process or in another. */
  readonly vault: CardAccounts
  readonly clock: Clock
  readonly log: Log
}

/** A store's accounts with acquirers as the API names them, as the vault last answered. */
export function createAcquirerAccounts(deps: AcquirerAccountsDeps): AccountsOfStore {
  const cards = createCardAccounts(deps)
  return async (storeId) => {
    const [accounts, acquirers] = await Promise.all([cards(storeId), loadAcquirerTerms()])
    return {
      labelOf: (accountId) => accounts.find(({ id }) => id === accountId)?.label,
      acquirerOf: (provider) => acquirers.find(({ name }) => name === provider),
    }
  }
}
