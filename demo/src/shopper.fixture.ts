import type { SearchElement } from '@cofre/merchant'
import type { Hono } from 'hono'
import { createDemoShop } from './demo-shop.js'
import {
  FIRST_CODE,
  type FakeMerchant,
  fakeMerchant,
  searchElement,
} from './merchant-client.fixture.js'
import type { ShopEnv } from './page/visitor.js'
import type { DemoShopDeps } from './payment/shop.js'

export const SHOP_URL = 'https://serra.example'
/** The service's origin for pictures and pages of payers. */
export const PAYER_URL = 'https://pay.example'
export const PANEL_URL = 'https://panel.example'
export const PAYER_IP = '203.0.113.7'
export const STORE_ID = 'serra-store'
const FIELDS_URL = 'https://vault.example/fields.cofre.min.js'
const LIBRARY_URL = 'https://vault.example/payment.cofre.min.js'

/** A page as seen by a browser. */
export interface SeenPage {
  readonly status: number
  readonly location: string | null
  readonly headers: Headers
  readonly html: string
}

/** A browser with its cookies. */
export interface Shopper {
  get(path: string): Promise<SeenPage>
  post(
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<SeenPage>
  /** Posts as a form does and follows the redirect. */
  submit(path: string, fields?: Record<string, string>): Promise<SeenPage>
}

/** A shop with a fake payment service, a stopped clock and one entry per log line. */
export interface OpenShop {
  readonly app: Hono<ShopEnv>
  readonly merchant: FakeMerchant
  readonly logged: string[]
  readonly clock: { nowMs: number }
  readonly newShopper: (headers?: Record<string, string>) => Shopper
}

export function openShopForTest(extra: Partial<DemoShopDeps> = {}): OpenShop {
  const merchant = fakeMerchant()
  const logged: string[] = []
  const write = (fields: Record<string, unknown>, message: string): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
  const clock = { nowMs: Date.parse('2026-09-01T15:00:00Z') }
  let count = 0
  const app = createDemoShop({
    merchant,
    environment: 'sandbox',
    library: { url: LIBRARY_URL, integrity: 'sha384-of-the-library' },
    fields: { url: FIELDS_URL, integrity: 'sha384-of-the-fields' },
    libraryGlobal: 'Cofre',
    storeId: STORE_ID,
    payerUrl: PAYER_URL,
    wallets: ['pagseguro', 'paypal'],
    panelUrl: PANEL_URL,
    shopUrl: SHOP_URL,
    log: { info: write, warn: write, error: write },
    clock: { now: () => clock.nowMs },
    random: (sizeBytes) => new Uint8Array(sizeBytes).fill(++count),
    ...extra,
  })
  return { app, merchant, logged, clock, newShopper: (headers) => newShopper(app, headers) }
}

/** An IPv4 address as Node reports it on a socket that also listens to IPv6. */
export const CONNECTION = { incoming: { socket: { remoteAddress: `::ffff:${PAYER_IP}` } } }

function newShopper(app: Hono<ShopEnv>, sent: Record<string, string> = {}): Shopper {
  const cookies = new Map<string, string>()
  async function visit(path: string, init: RequestInit): Promise<SeenPage> {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(sent)) headers.set(name, value)
    headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await app.request(`${SHOP_URL}${path}`, { ...init, headers }, CONNECTION)
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return {
      status: response.status,
      location: response.headers.get('Location'),
      headers: response.headers,
      html: await response.text(),
    }
  }
  const shopper: Shopper = {
    get: (path) => visit(path, {}),
    post: (path, fields = {}, headers = { Origin: SHOP_URL }) =>
      visit(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    async submit(path, fields) {
      const page = await shopper.post(path, fields)
      return page.location === null ? page : shopper.get(page.location)
    },
  }
  return shopper
}

/** The customer's input. */
export const CONTACT = {
  name: 'Maria  da Silva',
  email: 'maria@example.com',
  cpf: '529.982.247-25',
  'birth-date': '1990-05-17',
  phone: '(11) 98765-4321',
} as const

export const ADDRESS = {
  'zip-code': '01310-100',
  street: 'Avenida Paulista',
  number: '1578',
  complement: '',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
} as const

export const TOKEN = 'eyJhbGciOiJFQ0RILUVTIn0.token.of.the.card'

/** Opens the checkout and posts its form. */
export async function payAt(
  shopper: Shopper,
  fields: Record<string, string> = {},
): Promise<SeenPage> {
  const { html } = await shopper.get('/checkout')
  return shopper.submit('/checkout', {
    reference: hiddenValue(html, 'reference'),
    installments: '1',
    token: TOKEN,
    'card-brand': 'visa',
    'card-last-four': '1111',
    ...CONTACT,
    ...(fields.method === 'boleto' && ADDRESS),
    ...fields,
  })
}

/** A shop, and a browser with products in its cart. */
export async function shopWith(...slugs: readonly string[]) {
  const shop = openShopForTest()
  const shopper = shop.newShopper()
  for (const product of slugs) await shopper.post('/cart/items', { product })
  return { ...shop, shopper }
}

/** A shop with an order of a gift card, and notifications of its transaction. */
export async function shopWithOrder(outcome: FakeMerchant['outcome'], method = 'card') {
  const shop = await shopWith('vale-presente')
  const { app, merchant, shopper } = shop
  merchant.outcome = outcome
  const { html } = await payAt(shopper, { method })
  const reference = textByTestId(html, 'order-reference')
  const post = async (body: string, type = 'application/x-www-form-urlencoded') => {
    const headers = { 'Content-Type': type }
    return await app.request('/notifications', { method: 'POST', body, headers })
  }
  const notify = async (found: Partial<SearchElement>) => {
    merchant.known.set(FIRST_CODE, { ...searchElement(reference, 'PENDING'), ...found })
    return await post(`transaction-code=${FIRST_CODE}&notification-type=transaction`)
  }
  const page = async () => (await shopper.get(`/orders/${FIRST_CODE}`)).html
  const stateShown = async () => /order-status" data-state="([a-z]+)"/.exec(await page())?.[1]
  return { ...shop, reference, post, notify, page, stateShown }
}

export function hiddenValue(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
}

/** The text of the element with a test id. */
export function textByTestId(html: string, testId: string): string {
  return new RegExp(`data-testid="${testId}"[^>]*>([^<]*)<`).exec(html)?.[1] ?? ''
}
