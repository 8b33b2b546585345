import { randomBytes } from 'node:crypto'
import type { MerchantClient } from '@cofre/merchant'
import { type OrderBook, createOrderBook } from './order/order-book.js'
import { type SessionStore, createSessionStore } from './session/session-store.js'
import { openStateFile } from './state/state-file.js'
import type { DemoShopDeps, ShopClock, ShopLog } from './shop-deps.js'

const ID_BYTES = 16
const REFERENCE_BYTES = 4

// eslint-disable-next-line no-restricted-properties -- the shop's own clock, where none is given
const systemClock: ShopClock = { now: () => Date.now() }

/** What the routes share. */
export interface Shop {
  readonly merchant: MerchantClient
  readonly storeId: string
  readonly log: ShopLog
  readonly clock: ShopClock
  readonly sessions: SessionStore
  readonly orders: OrderBook
  readonly origin: string
  readonly notificationUrl: string
  readonly libraryUrl: string
  readonly libraryIntegrity: string
  readonly libraryGlobal: string
  readonly payerOrigin: string
  readonly wallets: readonly string[]
  readonly panelUrl: string | undefined
  /** A reference never used before: `serra-<time>-<random>`. */
  newReference(): string
  /** Names an attempt at a refund, so that a form posted twice refunds once. */
  newAttempt(): string
}

export function openShop(deps: DemoShopDeps): Shop {
  const { clock = systemClock, random = randomBytes } = deps
  const randomHex = (sizeBytes: number): string => Buffer.from(random(sizeBytes)).toString('hex')
  const { origin } = new URL(deps.shopUrl)
  const stateFile = openStateFile(deps.stateFile, deps.log)
  const onChange = (): void => {
    stateFile.write({ sessions: sessions.list(), orders: orders.list() })
  }
  const newId = (): string => randomHex(ID_BYTES)
  const sessions = createSessionStore({
    newId,
    kept: stateFile.kept.sessions,
    onChange,
  })
  const orders = createOrderBook({ kept: stateFile.kept.orders, onChange })
  return {
    merchant: deps.merchant,
    storeId: deps.storeId,
    log: deps.log,
    clock,
    sessions,
    orders,
    origin,
    notificationUrl: `${origin}/notifications`,
    libraryUrl: deps.libraryUrl,
    libraryIntegrity: deps.libraryIntegrity,
    libraryGlobal: deps.libraryGlobal,
    payerOrigin: new URL(deps.payerUrl).origin,
    wallets: deps.wallets,
    panelUrl: deps.panelUrl,
    newReference: () => `serra-${clock.now().toString(36)}-${randomHex(REFERENCE_BYTES)}`,
    newAttempt: newId,
  }
}
