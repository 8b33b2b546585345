import type { Failure } from '@cofre/contracts'
import type { FoundTry, LinkMethod, LinkState, PaymentLink } from '@cofre/gateway'

/** The payment links of stores. Texts that name nothing find nothing. */
export interface PaymentLinks {
  /** What the store's links may be paid by. */
  methods(storeId: string): Promise<readonly LinkMethod[]>
  /**
   * Makes a link of what `POST /payment-links` takes, judged by the same rules. The same one, made
   * again by the same actor, is there.
   */
  create(
    storeId: string,
    order: { readonly body: unknown; readonly actor: string },
  ): Promise<{ readonly link: PaymentLink } | { readonly failures: readonly Failure[] }>
  /** The newest first. */
  list(
    storeId: string,
    query: { readonly page: number; readonly pageSize: number; readonly state?: LinkState },
  ): Promise<{ readonly items: readonly ListedLink[]; readonly found: number }>
  find(storeId: string, linkId: string): Promise<LinkDetails | undefined>
  /** The link by which a payment was made. */
  ofPayment(storeId: string, code: string): Promise<PaymentLink | undefined>
  /** Ends a link. Open charges of its tries are cancelled soon, at their banks, too. */
  revoke(storeId: string, linkId: string, actor: string): Promise<'revoked' | 'not-found'>
}

export interface ListedLink {
  readonly link: PaymentLink
  readonly state: LinkState
  readonly tries: number
  readonly paid: number
}

export interface LinkDetails {
  readonly link: PaymentLink
  readonly state: LinkState
  /** The newest first. */
  readonly tries: readonly FoundTry[]
}
