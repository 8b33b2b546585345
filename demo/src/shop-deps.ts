import type { MerchantClient } from '@cofre/merchant'

/** Where the shop reports what its operator should see. Fields never hold card data. */
export interface ShopLog {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/** The time, as a dependency. */
export interface ShopClock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

/** What the shop is made of; the caller does the listening. */
export interface DemoShopDeps {
  readonly merchant: MerchantClient
  /** The store that the merchant client signs for: no other may pay with the tokens of this shop's page. */
  readonly storeId: string
  /** Full URL of a release of the browser library on the vault's origin: `http://127.0.0.1:8082/v/0.1.0/payment.cofre.min.js`. */
  readonly libraryUrl: string
  /** The hash that the file must have: `sha384-…`. */
  readonly libraryIntegrity: string
  /** The library's global namespace: `Cofre`. */
  readonly libraryGlobal: string
  /** Where browsers and notifications reach the shop: `http://127.0.0.1:8084`. */
  readonly shopUrl: string
  /** Origin at which the service shows a PIX code's picture to a payer: `http://127.0.0.1:8080`. */
  readonly payerUrl: string
  /** Identifiers of the wallets that the store may use: `paypal`. */
  readonly wallets: readonly string[]
  readonly log: ShopLog
  /** Where a developer changes the status of a payment; without it the shop does not speak of it. */
  readonly panelUrl?: string
  /** JSON file that keeps carts, saved cards and orders over a restart; without it they end with the process. */
  readonly stateFile?: string
  /** Default: the system's. */
  readonly clock?: ShopClock
  /** Unguessable bytes for session ids and references; default: node:crypto's. */
  readonly random?: (sizeBytes: number) => Uint8Array
}
