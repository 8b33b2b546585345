/** What the installments of an amount depend on. */
export interface InstallmentsQuery {
  /** Lowercase brand identifier, as the bin lookup answers it. */
  readonly brand: string
  /** In reais, at most two decimals. */
  readonly amount: number
  /** Default `BR`. */
  readonly country?: string
  /** Default `BRL`. */
  readonly currency?: string
}

/** The same, for a card whose first six digits are known. */
export interface CardLookupQuery extends Omit<InstallmentsQuery, 'brand'> {
  /** First six digits. */
  readonly bin: string
}
