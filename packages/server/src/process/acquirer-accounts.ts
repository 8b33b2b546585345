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
    const accounts = await cards(storeId)
    const acquirers = accounts.length === 0 ? [] : await loadAcquirerTerms()
    return new Map(
      accounts.map(({ id, label, provider }) => {
        const terms = acquirers.find(({ name }) => name === provider)
        return [id, { label, company: terms?.company ?? provider, cnpj: terms?.cnpj }]
      }),
    )
  }
}
