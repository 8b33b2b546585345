/** A part of the card, as `validate` and {@link DirectTokenError.fields} name it. */
export type CardField = 'number' | 'cvv' | 'month' | 'year'

/**
 * Why there is no direct token (specification, section 7.3). The eighth string,
 * `callback_must_be_a_function`, has no callback to receive it and goes to the console.
 */
export type DirectTokenErrorCode =
  | 'creditcard_object_malformed'
  | 'creditcard_invalid_object'
  | 'creditcard_invalid_fields'
  | 'credit_card_internal_error'
  | 'session_create_error'
  | 'session_creating_in_progress'
  | 'session_network_error'

/** Rejection of `createDirectToken`. Never carries card data. */
export class DirectTokenError extends Error {
  readonly code: DirectTokenErrorCode
  /** The wrong fields, with `creditcard_invalid_fields`; empty if only the vault knows them. */
  readonly fields: readonly CardField[]

  constructor(code: DirectTokenErrorCode, fields: readonly CardField[] = []) {
    super(code)
    this.code = code
    this.fields = fields
  }
}
