/** An acquirer, as fiscal documents name it. */
export interface NamedAcquirer {
  readonly company: string
  /** The acquirer's 14 digits in Brazil. */
  readonly cnpj: string
}

/** A store's accounts with acquirers. */
export interface PaymentAccounts {
  /** The store's name of an account, by its id; undefined while the vault does not answer. */
  readonly labelOf: (accountId: string) => string | undefined
  /** Undefined for a provider that the installation does not know. */
  readonly acquirerOf: (provider: string) => NamedAcquirer | undefined
}

/** Resolves to a store's accounts. */
export type AccountsOfStore = (storeId: string) => Promise<PaymentAccounts>
