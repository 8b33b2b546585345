// Answers of the card lookups (spec 2.4, 4.2).

export interface BinBody {
  /** The six digits asked for. */
  readonly number: number
  readonly brand: string
  readonly cvvSize: number
  readonly expirable: boolean
  readonly validationAlgorithm: string
  readonly installment: boolean
}

export interface InstallmentBody {
  readonly quantity: number
  readonly totalAmount: number
  readonly installmentAmount: number
  readonly interestFree: boolean
}
