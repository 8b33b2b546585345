/** What gateways know of an acquirer, whose connector vaults alone load. */
export interface AcquirerTerms {
  /** As accounts name it, `adyen`. */
  readonly name: string
  /** For people. */
  readonly company: string
  /** Of the company that acquires in Brazil, 14 digits: fiscal documents of card sales name it. */
  readonly cnpj: string
  /** Days after a sale in which it is refunded; absent where they are not known. */
  readonly refundDays?: (sale: SaleKind) => number
}

/** What an acquirer's deadlines depend on. */
export interface SaleKind {
  readonly method: 'credit' | 'debit'
  readonly brand: string
  readonly installments: number
}
