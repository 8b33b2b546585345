import type { DirectTokenErrorCode } from './errors.js'

/** An input of the fields. */
export type CardFieldName = 'number' | 'expiry' | 'cvv'

/** How far an input is; `incomplete` may still become right. */
export type CardFieldState = 'empty' | 'incomplete' | 'invalid' | 'valid'

/**
 * State of the card in the inputs, without its digits. Of a security code alone, only `cvv` and
 * `complete` change.
 */
export interface CardFieldsChange {
  readonly number: CardFieldState
  readonly expiry: CardFieldState
  readonly cvv: CardFieldState
  /** All inputs are valid. */
  readonly complete: boolean
  /** `visa`, `mastercard`, …; null when unknown. */
  readonly brand: string | null
  /** The first six digits, if the store may see them and they are typed. */
  readonly bin: string | null
}

/** Card details that the page may see with a direct token. */
export interface TokenizedCard {
  readonly brand: string | null
  readonly bin: string | null
  readonly lastFour: string
}

/** Why the fields cannot be used. */
export interface CardFieldsError {
  /** The frame does not answer: it is refused, or the vault is out of reach. */
  readonly code: Extract<DirectTokenErrorCode, 'session_network_error'>
}

/** Each event's name, with its argument. */
export interface CardFieldsEvents {
  /** The fields can be used; fires again after the browser reloads the frame. */
  readonly ready: object
  /** The frame has not answered within five seconds. A `ready` may still follow. */
  readonly error: CardFieldsError
  readonly change: CardFieldsChange
  readonly focus: { readonly field: CardFieldName }
  readonly blur: { readonly field: CardFieldName }
  /** The shopper pressed Enter in a field, to pay. */
  readonly submit: object
}

export type CardFieldsListener<Name extends keyof CardFieldsEvents> = (
  event: CardFieldsEvents[Name],
) => void
