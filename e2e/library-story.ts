import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Page, expect } from '@playwright/test'
import { MerchantApiError } from '@cofre/merchant'
import { type CofreProcess, freePort } from './cofre-process.js'
import { type ShopServer, startShopServer } from './shop-server.js'
import { type VaultLink, startVaultLink } from './vault-link.js'
import { cardPurchase, merchantAt } from './shop-request.js'
import { test as base } from './story.js'

/** The library's API for a page. */
export interface LibraryGlobal {
  readonly PaymentMethod: new (options?: object) => PaymentMethod
}

export interface PaymentMethod {
  getDirectToken(card: unknown, callback: unknown): boolean
  createDirectToken(card: unknown): Promise<string>
  isReady(): boolean
  brandOf(number: string): string | null
  validate(card: unknown): string[]
}

declare global {
  interface Window {
    Cofre: LibraryGlobal
    paymentMethod: PaymentMethod
  }
}

export const VISA = {
  creditCard: '4111 1111 1111 1111',
  cvv: '737',
  expiration: { month: '12', year: '2035' },
}

export const SCRIPT = 'payment.cofre.min.js'

const { version } = JSON.parse(
  readFileSync(new URL('../packages/client/package.json', import.meta.url), 'utf8'),
) as { version: string }

/** The permanent path of the current version. */
export const RELEASED_SCRIPT = `v/${version}/${SCRIPT}`

/** The port of a worker's shops: the store has their origin, registered once. */
const shopPort = freePort()

/** A shop's page that contains only the library, loaded over a link that can be disturbed. */
export const test = base.extend<{ link: VaultLink; shop: ShopServer }>({
  link: async ({ cofre }, use) => {
    const link = await startVaultLink(cofre.ports.vault)
    await use(link)
    await link.close()
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names here.
  shop: async ({}, use) => {
    const shop = await startShopServer(await shopPort)
    await use(shop)
    await shop.close()
  },
})

export interface Checkout {
  readonly page: Page
  readonly shop: ShopServer
}

/** Opens a page with this head, and waits until it has loaded. */
export async function openPage(
  { page, shop }: Checkout,
  head: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const body = `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head></html>`
  shop.files.set('/checkout', { type: 'text/html', body, headers })
  await page.goto(`${shop.url}/checkout`)
}

/** Opens a page with the library and creates one instance. */
export async function openLibrary(
  checkout: Checkout,
  link: VaultLink,
  options: object = {},
): Promise<void> {
  await openPage(checkout, `<script src="${link.url}/${SCRIPT}"></script>`)
  await newInstance(checkout.page, options)
}

export async function newInstance(page: Page, options: object = {}): Promise<void> {
  await page.evaluate((given) => {
    window.paymentMethod = new window.Cofre.PaymentMethod(given)
  }, options)
}

/** Calls `getDirectToken` and resolves to the arguments of the callback. */
export function tokenize(page: Page, card: unknown = VISA): Promise<[string | null, string?]> {
  return page.evaluate(
    (given) =>
      new Promise<[string | null, string?]>((resolve) => {
        window.paymentMethod.getDirectToken(given, (...answer: [string | null, string?]) => {
          resolve(answer)
        })
      }),
    card,
  )
}

/** Pays with the token; resolves to the transaction's status, or the code of the first error. */
export async function payWith(cofre: CofreProcess, token = ''): Promise<string | number> {
  const merchant = merchantAt(cofre.ports.api)
  try {
    const { transaction } = await merchant.createTransaction(
      cardPurchase(randomUUID(), { installments: 1, token }),
    )
    return transaction.status
  } catch (error) {
    if (error instanceof MerchantApiError) return error.errors[0]?.code ?? 0
    throw error
  }
}

/** Checks that the callback got a token, and that the shop's server can pay with it. */
export async function expectPayable(
  cofre: CofreProcess,
  [err, token]: readonly [string | null, string?],
): Promise<void> {
  expect(err).toBeNull()
  expect(await payWith(cofre, token)).toBe('PAID')
}

/** Holds the request for the script until the returned function is called. */
export async function holdScript(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<undefined>()
  await page.route('**/*.cofre.min.js', async (route) => {
    await held.promise
    await route.continue()
  })
  return () => {
    held.resolve(undefined)
  }
}
