import type { Secret } from '@cofre/contracts'

/**
 * `live` moves real money and serves production; `test` is a provider's own test system and serves
 * the sandbox; `simulator` is run by `npm start` on this machine.
 */
export const ACCOUNT_KINDS = ['live', 'test', 'simulator'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** The payment methods that have orders of accounts: cards in the vault, the others in gateways. */
export const ACCOUNT_METHODS = ['pix', 'boleto', 'card'] as const
export type AccountMethod = (typeof ACCOUNT_METHODS)[number]

/** A store's contract with one provider. */
export interface ProviderAccount {
  /** Letters, digits and `-`; part of the address of its notices. */
  readonly id: string
  readonly merchantId: string
  /** The provider's name, `pix-api`. */
  readonly provider: string
  readonly kind: AccountKind
  /** The name that people gave it. */
  readonly label: string
  /** The provider's settings without secrets: profile, PIX key, receiver. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: AccountSecrets
  /** The end of its client certificate; undefined without one. */
  readonly certificateUntilMs: number | undefined
  readonly lastTest: AccountTest | undefined
  /** A disabled account gets no new charges, but still serves its earlier ones. */
  readonly disabledAtMs: number | undefined
  readonly createdAtMs: number
}

/** An account without its secrets. */
export type AccountDescription = Omit<ProviderAccount, 'secrets'>

/** Sealed in the database. */
export interface AccountSecrets {
  /** JSON of the provider's schema: client id and secret, certificate and key as PEM. */
  readonly credentials: Secret<string>
  /** 128 random bits: the second half of the notices' path. */
  readonly noticeSecret: Secret<string>
}

/** The result of `cofre account test`. */
export interface AccountTest {
  readonly atMs: number
  /** Undefined if all steps succeeded. */
  readonly failure: string | undefined
}

/** The parts that a rotation replaces. */
export type AccountRotation = Pick<ProviderAccount, 'secrets' | 'certificateUntilMs'>

/** The author of a change: an operator at the command line, or `npm start`. */
export type AccountActor = `operator:${string}` | 'start'

/** A change of a store's accounts, for the holder's log. It contains no secret. */
export interface AccountChange {
  readonly merchantId: string
  readonly action: AccountAction
  /** The values before, absent for a creation, and after. */
  readonly settings: Readonly<
    Record<string, { readonly from?: string | null; readonly to: string | null }>
  >
}

export type AccountAction =
  | 'account-added'
  | 'account-rotated'
  | 'account-renamed'
  | 'account-disabled'
  | 'account-enabled'
  | 'accounts-ordered'

/** The charges of a store that an order of its accounts covers. */
export interface Route {
  readonly merchantId: string
  readonly method: AccountMethod
  /** For cards: only this brand. */
  readonly brand?: string | undefined
  /** For cards: charges of this many installments and more. */
  readonly fromInstallments?: number | undefined
}

/** `card`, `card amex from 2 installments` */
export function routeName({
  method,
  brand,
  fromInstallments = 1,
}: Omit<Route, 'merchantId'>): string {
  const from = fromInstallments === 1 ? undefined : `from ${fromInstallments} installments`
  return [method, brand, from].filter((part) => part !== undefined).join(' ')
}

/** An order of a store's accounts, with the named ones. */
export interface AccountOrder extends Route {
  readonly ids: readonly string[]
  /** For cards: true if a declined charge goes to the next account. */
  readonly routesDeclines: boolean
}

/** A change of an order; absent settings stay the same. */
export interface OrderChange extends Route, Partial<Pick<AccountOrder, 'routesDeclines'>> {
  /** Accounts of the store that begin to serve the method. Their provider must support it. */
  readonly added?: readonly string[]
  /** The account that stops serving the method. */
  readonly dropped?: string | undefined
}

/** The properties that choose a charge's accounts. */
export interface RoutedCharge extends Pick<Route, 'merchantId' | 'method' | 'brand'> {
  readonly installments?: number | undefined
}
