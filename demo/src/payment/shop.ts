import { randomBytes } from 'node:crypto'
import { MerchantApiError, type MerchantClient, MerchantConnectionError } from '@cofre/merchant'
import type { Site } from '@cofre/pages'
import type { Order } from '../model/order.js'
import type { ShopSession } from '../model/session.js'

/**
 * Above this, the shop forgets the oldest: the demonstration keeps its state in memory. A real shop
 * has a database.
 */
const KEPT_MAX = 10_000

/** Browsers send cookies to every port of a host: two shops need cookies with different names. */
const SITES = { sandbox: 'serra', production: 'serra_production' } as const

/** The operator's log. Fields never hold card data. */
export interface ShopLog {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/** A script of a release, on the vault's origin. */
export interface VaultScript {
  readonly url: string
  /** The file's required hash: `sha384-…`. */
  readonly integrity: string
}

/** The shop's requests to the service. */
export type ShopMerchant = Pick<
  MerchantClient,
  | 'cancelPayment'
  | 'capturePayment'
  | 'createTransaction'
  | 'findByReference'
  | 'findPayment'
  | 'findTransaction'
  | 'installments'
>

/** Dependencies of the shop; the caller listens. */
export interface DemoShopDeps {
  readonly merchant: ShopMerchant
  /** The merchant client's environment; every page of the shop names it. */
  readonly environment: 'sandbox' | 'production'
  /** The merchant client's store: no other store can pay with the tokens of this shop's page. */
  readonly storeId: string
  /** The browser library: `http://127.0.0.1:8082/v/0.1.0/payment.cofre.min.js`. */
  readonly library: VaultScript
  /** The card fields: `http://127.0.0.1:8082/v/0.1.0/fields.cofre.min.js`. */
  readonly fields: VaultScript
  /** The global namespace of both: `Cofre`. */
  readonly libraryGlobal: string
  /** The shop's origin for browsers and notifications: `http://127.0.0.1:8084`. */
  readonly shopUrl: string
  /** The service's origin for the picture of a PIX code: `http://127.0.0.1:8080`. */
  readonly payerUrl: string
  /** Identifiers of the wallets that the store may use: `paypal`. */
  readonly wallets: readonly string[]
  readonly log: ShopLog
  /** Page where a developer changes a payment's status; without it, the shop omits the link. */
  readonly panelUrl?: string
  /** Pages where a person pays as the payer; without them, no page links there. */
  readonly banks?: Readonly<Record<'pix' | 'boleto', string>>
  /**
   * Pages where a person acts as the acquirers of the cards; without them, the shop omits the
   * links.
   */
  readonly acquirers?: readonly { readonly name: string; readonly url: string }[]
  /** Milliseconds since 1970; default: the system's clock. */
  readonly clock?: { now(): number }
  /** Unguessable bytes for session ids and references; default: node:crypto's. */
  readonly random?: (sizeBytes: number) => Uint8Array
}

/** State shared by the routes. */
export interface Shop extends Omit<DemoShopDeps, 'clock' | 'random'> {
  readonly site: Site
  readonly now: () => number
  /** An unguessable hexadecimal text. */
  readonly newId: (sizeBytes?: number) => string
  readonly sessions: Map<string, ShopSession>
  /** By their references, oldest first. */
  readonly orders: Map<string, Order>
}

export function openShop({ clock, random = randomBytes, ...deps }: DemoShopDeps): Shop {
  return {
    ...deps,
    site: { url: new URL(deps.shopUrl).origin, name: SITES[deps.environment], sameSite: 'Lax' },
    // oxlint-disable-next-line no-restricted-properties -- the shop's own clock by default
    now: () => clock?.now() ?? Date.now(),
    newId: (sizeBytes = 16) => Buffer.from(random(sizeBytes)).toString('hex'),
    sessions: new Map(),
    orders: new Map(),
  }
}

export function openSession({ sessions, newId }: Shop): ShopSession {
  const session: ShopSession = {
    id: newId(),
    cart: new Map(),
    contact: new Map(),
    savedCards: [],
    cardInput: 'own',
  }
  keep(sessions, session.id, session)
  return session
}

/** A browser's session, which becomes the most recently used. */
export function useSession({ sessions }: Pick<Shop, 'sessions'>, id = ''): ShopSession | undefined {
  const session = sessions.get(id)
  if (session === undefined) return undefined
  sessions.delete(id)
  sessions.set(id, session)
  return session
}

export function keepOrder({ orders }: Shop, order: Order): void {
  keep(orders, order.reference, order)
}

/** An order, by its code or reference; with a session, only an order placed by its browser. */
export function findOrder({ orders }: Shop, key: string, session?: ShopSession): Order | undefined {
  return [...orders.values()].find(
    (order) =>
      (order.code === key || order.reference === key) &&
      (session === undefined || order.session === session),
  )
}

/** The orders placed by a browser, newest first. */
export function ordersOf({ orders }: Shop, session: ShopSession | undefined): readonly Order[] {
  return [...orders.values()].filter((order) => order.session === session).reverse()
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.keys()
  if (map.size >= KEPT_MAX && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}

/**
 * True if a request to the service failed, which a shop expects; any other error is the shop's own
 * fault.
 */
export function isServiceError(
  error: unknown,
): error is MerchantApiError | MerchantConnectionError {
  return error instanceof MerchantApiError || error instanceof MerchantConnectionError
}
