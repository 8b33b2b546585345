import type { ErrorName, Failure, MinorUnits } from '@cofre/contracts'
import type { Transaction } from '@cofre/gateway/room'
import type { LinkTry, TryState } from './link-try.js'
import type { LinkMethod, LinkState, PaymentLink } from './payment-link.js'

/** A link as its page shows it. */
export interface ShownLink extends Pick<
  PaymentLink,
  | 'id'
  | 'storeId'
  | 'description'
  | 'amountMinor'
  | 'methods'
  | 'expiresAtMs'
  | 'language'
  | 'successUrl'
> {
  readonly storeName: string
  /** What a card may be charged in; empty where cards do not pay it. */
  readonly installments: readonly ShownInstallment[]
  readonly state: LinkState
  readonly isUsedOnce: boolean
  /** Of a link that is used once: the try that is neither paid nor ended. */
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

/** A try as its page shows it. */
export interface ShownTry extends Pick<LinkTry, 'id' | 'method' | 'reference'> {
  readonly state: TryState
  readonly amountMinor: MinorUnits
  /** What the payer pays: with interest. */
  readonly chargedMinor: MinorUnits
  readonly installments: number
  /** What the payer needs to pay, or why a card was declined. */
  readonly details: Transaction['paymentDetails']
  /** Of the transaction, for `/b/` and `/q/`; empty where there is none. */
  readonly publicId: string
  /** When its charge lapses. */
  readonly expiresAtMs: number | undefined
  readonly paidAtMs: number | undefined
  /** Of the transaction; empty where there is none. */
  readonly code: string
}

/** What a payer sends. Texts are as they were typed. */
export interface PaymentOrder {
  /** Drawn when the form was shown: sent twice, it opens one try. 1 to 64 characters. */
  readonly formId: string
  readonly method: LinkMethod
  /** The shopper's IP address. */
  readonly address: string
  readonly payer: OrderPayer
  readonly card?: OrderCard | undefined
  /** Where the payer comes back to from a wallet, or from the bank of a card. */
  readonly returnUrl: (tryId: string) => string
}

interface OrderCard {
  readonly token: string
  readonly installments: number
  /** What the page showed of these installments: they are charged no dearer. */
  readonly shownMinor?: MinorUnits | undefined
}

/** Punctuation in documents, phones and postal codes is taken out before anything is judged. */
export interface OrderPayer {
  readonly name: string
  readonly email: string
  /** CPF or CNPJ. */
  readonly document: string
  /** `YYYY-MM-DD` */
  readonly birthDate?: string | undefined
  /** Brazilian without a country's code. */
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
 * What came of an order. `invalid` names fields as the API does: `payer.name`. `busy`: another try
 * is being asked for or is under review. `cards-paused`: cards are being tested, so a payer that
 * the store does not know pays another way, or later. `cards-wait`: so many cards are under way
 * that this one waits for their answers. `not-cancelled`: a bank did not say that the code before
 * this one is removed, so it still counts. `refused`: nothing was charged.
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

/** What the payment page asks of its gateway. Texts that name nothing find nothing. */
export interface PaymentPage {
  find(linkId: string): Promise<ShownLink | undefined>
  findTry(linkId: string, tryId: string): Promise<ShownTry | undefined>
  /** Pays a link, once for each form, however often that is sent. */
  pay(linkId: string, order: PaymentOrder): Promise<PayResult>
}
