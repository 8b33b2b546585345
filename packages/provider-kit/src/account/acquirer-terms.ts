/** An acquirer's terms, for gateways; only vaults load its connector. */
export interface AcquirerTerms {
  /** The name in accounts, `adyen`. */
  readonly name: string
  /** The name for people. */
  readonly company: string
  /** The 14 digits of the company that acquires in Brazil, which fiscal documents name. */
  readonly cnpj: string
  /** Days after a sale in which a refund is possible; absent if they are unknown. */
  readonly refundDays?: (sale: SaleKind) => number
}

/** The properties of a sale that an acquirer's deadlines depend on. */
export interface SaleKind {
  readonly method: 'credit' | 'debit'
  readonly brand: string
  readonly installments: number
}
