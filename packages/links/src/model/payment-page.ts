import type { ErrorName, Failure, MinorUnits } from '@cofre/contracts'
import type { Transaction } from '@cofre/gateway/room'
import type { LinkTry, TryState } from './link-try.js'
import type { LinkMethod, LinkState, PaymentLink } from './payment-link.js'

/** A link on its page. */
export interface ShownLink extends Pick<
  PaymentLink,
  | 'id'
  | 'storeId'
  | 'description'
  | 'amountMinor'
  | 'methods'
  | 'isCapturedLater'
  | 'expiresAtMs'
  | 'language'
  | 'successUrl'
> {
  readonly storeName: string
  /** The installments for a card; empty if cards cannot pay the link. */
  readonly installments: readonly ShownInstallment[]
  readonly state: LinkState
  readonly isUsedOnce: boolean
  /** At a link for one payment: the try that is neither reserved, paid nor ended. */
  readonly openTry:
    | { readonly id: string; readonly method: LinkMethod; readonly state: TryState }
    | undefined
}

interface ShownInstallment {
  readonly quantity: number
  readonly totalMinor: MinorUnits
  readonly installmentMinor: MinorUnits
  readonly interestFree: boolean
}

/** A try on its page. */
export interface ShownTry extends Pick<LinkTry, 'id' | 'method' | 'reference'> {
  readonly state: TryState
  readonly amountMinor: MinorUnits
  /** The payer's amount, with interest; of a captured payment, what was captured. */
  readonly chargedMinor: MinorUnits
  readonly installments: number
  /** The payer's payment details, or why a card was declined. */
  readonly details: Transaction['paymentDetails']
  /** The transaction's public id, for `/b/` and `/q/`; empty without a transaction. */
  readonly publicId: string
  /** The time when its charge expires. */
  readonly expiresAtMs: number | undefined
  readonly paidAtMs: number | undefined
  /** The transaction's code; empty without a transaction. */
  readonly code: string
}

/** A payer's order. Texts are as typed. */
export interface PaymentOrder {
  /** Drawn when the form was shown: a form that is sent twice opens one try. 1 to 64 characters. */
  readonly formId: string
  readonly method: LinkMethod
  /** The shopper's IP address. */
  readonly address: string
  readonly payer: OrderPayer
  readonly card?: OrderCard | undefined
  /** The address to which a wallet, or a card's bank, returns the payer. */
  readonly returnUrl: (tryId: string) => string
}

export interface OrderCard {
  readonly token: string
  readonly installments: number
  /** The page's price for these installments: the payer is charged no more. */
  readonly shownMinor?: MinorUnits | undefined
}

/** Punctuation in documents, phones and postal codes is removed before validation. */
export interface OrderPayer {
  readonly name: string
  readonly email: string
  /** CPF or CNPJ. */
  readonly document: string
  /** `YYYY-MM-DD` */
  readonly birthDate?: string | undefined
  /** Brazilian if it has no country code. */
  readonly phone?: string | undefined
  readonly address?: OrderAddress | undefined
}

export interface OrderAddress {
  readonly street: string
  readonly number: string
  readonly complement?: string | undefined
  readonly district: string
  readonly city: string
  readonly state: string
  readonly zipCode: string
}

/**
 * The result of an order. `invalid` names fields as the API does: `payer.name`. `busy`: another try
 * is being requested or is under review. `cards-paused`: cards are being tested, so a payer unknown
 * to the store pays another way, or later. `cards-wait`: too many cards are in progress, so this
 * one waits for their answers. `not-cancelled`: a bank did not confirm the removal of the previous
 * code, so it still counts. `refused`: nothing was charged.
 */
export type PayResult =
  | { readonly kind: 'try'; readonly tryId: string }
  | { readonly kind: 'invalid'; readonly failures: readonly Failure[] }
  | { readonly kind: 'not-payable'; readonly state: LinkState }
  | { readonly kind: 'refused'; readonly name: ErrorName }
  | {
      readonly kind:
        | 'not-found'
        | 'busy'
        | 'not-cancelled'
        | 'cards-paused'
        | 'cards-wait'
        | 'too-many-tries'
        | 'too-many-open'
        | 'unavailable'
    }

/** The payment page's port to its gateway. An invalid id finds nothing. */
export interface PaymentPage {
  find(linkId: string): Promise<ShownLink | undefined>
  findTry(linkId: string, tryId: string): Promise<ShownTry | undefined>
  /** Pays a link, once for each form, even if the form is sent repeatedly. */
  pay(linkId: string, order: PaymentOrder): Promise<PayResult>
}
