import { type Page, expect, test as base } from '@playwright/test'
import {
  type Place,
  placesOfLine,
  placesOfProcess,
  placesWithCardData,
} from './card-data-search.js'
import { type CofreProcess, type Ports, freePort, freePorts } from './cofre-process.js'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.js'
import { type RunningShape, type Shape, startInShape } from './shape.js'

/** A running product, and all requests of the browser and the shop during the story. */
export interface Story {
  /** The gateway's process, which also contains the vault in the shape `one process`. */
  readonly cofre: CofreProcess
  readonly shopUrl: string
  readonly vaultUrl: string
  /** The same shop in production, and the pages where its payments are made. */
  readonly productionShopUrl: string
  readonly bankUrl: string
  readonly interUrl: string
  readonly adyenUrl: string
  readonly cieloUrl: string
  /** The shop's requests to the gateway. */
  readonly gatewayRequests: RecordingProxy['requests']
}

export interface TestCard {
  readonly number: string
  readonly cvv: string
}

export const APPROVED_CARD: TestCard = { number: '4111111111111111', cvv: '737' }
export const DECLINED_CARD: TestCard = { number: '4000000000000002', cvv: '737' }

/** A running product, with a recording proxy in front of its sandbox. */
interface Product {
  readonly running: RunningShape
  readonly ports: Ports
  readonly proxy: RecordingProxy
}

interface WorkerFixtures {
  readonly product: Product
  readonly cofre: CofreProcess
}

/**
 * A story in the browser, at the one product that a worker's stories share. Earlier stories leave
 * orders, payments and people in it; a story restores settings that affect others.
 * No card number or CVV may be outside the vault's memory. A story's end checks its requests; the
 * product's end checks its files and output.
 */
export const test = base.extend<{ story: Story }, WorkerFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names here.
  product: [async ({}, use) => withProduct('one process', use), { scope: 'worker' }],
  cofre: [({ product }, use) => use(product.running.cofre), { scope: 'worker' }],
  story: ({ page, product }, use) => runStory(page, product, use),
})

/** A story at its own product with a stand-alone vault. */
export const testStandAlone = test.extend({
  story: async ({ page }, use) => {
    await withProduct('stand-alone vault', (product) => runStory(page, product, use))
  },
})

/** The stories of a worker share one payer. Notifications are sent without delay. */
const ENVIRON = { COFRE_PURCHASE_LIMIT: '10000000.00', COFRE_NOTIFY_DELAY: '0' }

async function withProduct(shape: Shape, use: (product: Product) => Promise<void>): Promise<void> {
  const ports = await freePorts()
  const proxy = await startRecordingProxy(await freePort(), ports.sandbox)
  const running = await startInShape(shape, ports, {
    ...ENVIRON,
    COFRE_PUBLIC_SANDBOX_URL: proxy.url,
  })
  await use({ running, ports, proxy })
  expect(placesWithCardData(running.processes.flatMap(placesOfProcess))).toEqual([])
  await proxy.close()
  await running.dispose()
}

async function runStory(
  page: Page,
  { running, ports, proxy }: Product,
  use: (story: Story) => Promise<void>,
): Promise<void> {
  const toGateway = sinceNow(proxy.requests)
  const toVault = sinceNow(running.vaultRequests)
  const shopRequests = recordShopRequests(page, ports)
  await use({
    cofre: running.cofre,
    shopUrl: `http://127.0.0.1:${ports.demo}`,
    vaultUrl: `http://127.0.0.1:${ports.vault}`,
    productionShopUrl: `http://127.0.0.1:${ports.productionDemo}`,
    bankUrl: `http://127.0.0.1:${ports.bank}`,
    interUrl: `http://127.0.0.1:${ports.inter}`,
    adyenUrl: `http://127.0.0.1:${ports.adyen}`,
    cieloUrl: `http://127.0.0.1:${ports.cielo}`,
    get gatewayRequests() {
      return toGateway()
    },
  })
  const places: Place[] = [
    ...shopRequests.map((request): Place => ['request to the shop', request]),
    ...placesOfLine('line to the gateway', toGateway()),
    ...placesOfLine('line to the vault', toVault()),
  ]
  expect(placesWithCardData(places)).toEqual([])
}

/** Returns a function for the items added to a list from now on. */
function sinceNow<Item>(list: readonly Item[]): () => Item[] {
  const { length } = list
  return () => list.slice(length)
}

function recordShopRequests(page: Page, ports: Ports): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).port === String(ports.vault)) return
    requests.push(`${request.method()} ${request.url()}\n${request.postData() ?? ''}`)
  })
  return requests
}

/** Puts a product into the cart and opens the checkout. */
export async function goToCheckout(
  page: Page,
  { shopUrl }: Pick<Story, 'shopUrl'>,
  product = 'Vale-presente',
): Promise<void> {
  await page.goto(shopUrl)
  await page.getByRole('button', { name: `Adicionar ${product} ao carrinho` }).click()
  await expect(page.getByTestId('cart-count')).toHaveText('1')
  await page.goto(`${shopUrl}/cart`)
  await page.getByRole('link', { name: 'Finalizar compra' }).click()
}

/** Fills in the payer, without the card. */
export async function fillPayer(page: Page, name = 'Maria da Silva'): Promise<void> {
  await page.getByLabel('Nome completo').fill(name)
  await page.getByLabel('E-mail').fill('maria@example.com')
  await page.getByLabel('CPF').fill('529.982.247-25')
  await page.getByLabel('Data de nascimento').fill('1990-01-31')
  await page.getByLabel('Celular').fill('(41) 98888-7777')
}

/** Types the card with the spaces a person types. */
export async function fillCard(page: Page, { number, cvv }: TestCard): Promise<void> {
  await page.getByLabel('Número do cartão').fill(number.replaceAll(/(\d{4})(?=\d)/g, '$1 '))
  await page.getByLabel('Validade').fill('12/30')
  await page.getByLabel('CVV').fill(cvv)
}

/** Buys with the card that the shopper saved before. */
export async function payWithSavedCard(page: Page, story: Pick<Story, 'shopUrl'>): Promise<void> {
  await goToCheckout(page, story)
  await fillPayer(page)
  await page.getByLabel(/Pagar com meu cartão salvo/).check()
  await pay(page)
}

export async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Pagar R/ }).click()
}
