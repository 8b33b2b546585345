/** An account with an acquirer, as its store and fiscal documents call it. */
export interface PaymentAccount {
  readonly label: string
  readonly company: string
  /** The acquirer's 14 digits in Brazil; undefined if they are unknown. */
  readonly cnpj: string | undefined
}

/** A store's accounts with acquirers, by their ids. */
export type PaymentAccounts = ReadonlyMap<string, PaymentAccount>

/** Resolves to what is known of a store's accounts; empty while the vault does not answer. */
export type AccountsOfStore = (storeId: string) => Promise<PaymentAccounts>
