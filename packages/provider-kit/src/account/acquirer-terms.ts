/** An acquirer's terms, for gateways; only vaults load its connector. */
export interface AcquirerTerms {
  /** The name in accounts, `adyen`. */
  readonly name: string
  /** The name for people. */
  readonly company: string
<<<<<<< HEAD
  /** Of the company that acquires in Brazil, 14 digits: fiscal documents of card sales name it. */
  readonly cnpj: string
  /** Days after a sale in which it is refunded; absent where they are not known. */
=======
  /** Days after a sale in which a refund is possible; absent if they are unknown. */
>>>>>>> e09d3b49a52ce1989ec0ecf625a40135ffec6a93
  readonly refundDays?: (sale: SaleKind) => number
}

/** The properties of a sale that an acquirer's deadlines depend on. */
export interface SaleKind {
  readonly method: 'credit' | 'debit'
  readonly brand: string
  readonly installments: number
}
