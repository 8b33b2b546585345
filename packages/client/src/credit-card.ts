/** A card as the shopper typed it (specification, section 2.5). */
export interface CreditCard {
  /** Only its digits count; any separators are allowed. */
  readonly creditCard: string | number
  /** A string if it can start with zero. */
  readonly cvv: string | number
  readonly expiration: {
    /** One or two digits. */
    readonly month: string | number
    /** Four digits, or the last two. */
    readonly year: string | number
  }
}

/** A card still being typed. */
export interface CreditCardDraft {
  readonly creditCard?: string | number | undefined
  readonly cvv?: string | number | undefined
  readonly expiration?:
    | { readonly month?: string | number | undefined; readonly year?: string | number | undefined }
    | undefined
}
