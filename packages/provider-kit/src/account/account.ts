import type { Secret } from '@cofre/contracts'

/**
 * What an account's money is: `live` moves real money and serves production, `test` is a provider's
 * own test system and serves the sandbox, `simulator` is played by `npm start` on this machine.
 */
export const ACCOUNT_KINDS = ['live', 'test', 'simulator'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** The payment methods that accounts are ordered by: cards in the vault, the others in gateways. */
export const ACCOUNT_METHODS = ['pix', 'boleto', 'card'] as const
export type AccountMethod = (typeof ACCOUNT_METHODS)[number]

/** One store's contract with one provider. */
export interface ProviderAccount {
  /** Letters, digits and `-`; stands in the address of its notices. */
  readonly id: string
  readonly merchantId: string
  /** The provider's name, `pix-api`. */
  readonly provider: string
  readonly kind: AccountKind
  /** What people call it. */
  readonly label: string
  /** What the provider's schema makes of it and is no secret: profile, PIX key, receiver. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: AccountSecrets
  /** When its client certificate ends; undefined without one. */
  readonly certificateUntilMs: number | undefined
  readonly lastTest: AccountTest | undefined
  /** New charges go to a disabled account no more; what it has charged, it still answers for. */
  readonly disabledAtMs: number | undefined
  readonly createdAtMs: number
}

/** An account without its secrets. */
export type AccountDescription = Omit<ProviderAccount, 'secrets'>

/** Sealed in the database. */
export interface AccountSecrets {
  /** JSON of the provider's schema: client id and secret, certificate and key as PEM. */
  readonly credentials: Secret<string>
  /** 128 random bits: the second half of the path that the provider's notices arrive at. */
  readonly noticeSecret: Secret<string>
}

/** What `cofre account test` found. */
export interface AccountTest {
  readonly atMs: number
  /** Undefined when all steps succeeded. */
  readonly failure: string | undefined
}

/** What a rotation replaces. */
export type AccountRotation = Pick<ProviderAccount, 'secrets' | 'certificateUntilMs'>

/** Who changes accounts: an operator at the command line, or `npm start`. */
export type AccountActor = `operator:${string}` | 'start'

/** What is done to a store's accounts, for the log of those who keep them. A secret is in none. */
export interface AccountChange {
  readonly merchantId: string
  readonly action: AccountAction
  /** What it was, absent at a creation, and what it is. */
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

/** Which charges of a store an order of its accounts is for. */
export interface Route {
  readonly merchantId: string
  readonly method: AccountMethod
  /** Of cards: this brand alone. */
  readonly brand?: string | undefined
  /** Of cards: charges of so many installments and more. */
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

/** An order of a store's accounts, and those that it names. */
export interface AccountOrder extends Route {
  readonly ids: readonly string[]
  /** Of cards: whether the next account is asked for what one has declined, too. */
  readonly routesDeclines: boolean
}

/** What is said of an order; what is not stays as it was. */
export interface OrderChange extends Route, Partial<Pick<AccountOrder, 'routesDeclines'>> {
  /** Accounts of the store that begin to serve the method; their provider can. */
  readonly added?: readonly string[]
  /** The account that serves the method no more. */
  readonly dropped?: string | undefined
}

/** What decides which accounts a charge goes to. */
export interface RoutedCharge extends Pick<Route, 'merchantId' | 'method' | 'brand'> {
  readonly installments?: number | undefined
}
