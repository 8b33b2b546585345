// A frame that the browser refuses or that fails to load: the shop and the shopper learn of it.
import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import {
  type ShopPage,
  expectReady,
  frameOf,
  onAnotherSite,
  registerOrigins,
  serveShopPage,
  test,
  fieldEvents,
  tokenOf,
  typeCard,
} from './fields-story.js'

const FRAME_PAGE = '**/fields?*'
/** Time limit of the frame's first message. */
const READY_WITHIN_MS = 5000
const ENGLISH = 'The card fields could not be loaded.'
const PORTUGUESE = 'Não foi possível carregar os campos do cartão.'
/** Records the outcome of the promise beside the events. */
const WATCH_READY = `addEventListener('DOMContentLoaded', () => {
    fields.ready.then(() => heard.push(['resolved']), ({ code }) => heard.push(['rejected', code]))
  })`

const noticeOf = (page: Page) => page.locator('#fields').getByRole('alert')
const namesOf = async (page: Page) => (await fieldEvents(page)).all.map(([name]) => name)

/** Opens the page and advances its clock to the frame's time limit. */
async function openRefused(page: Page, address: string): Promise<void> {
  await page.clock.install()
  await page.goto(address)
  await page.clock.fastForward(READY_WITHIN_MS)
}

async function expectFailure(page: Page): Promise<void> {
  const code = 'session_network_error'
  await expect.poll(async () => (await fieldEvents(page)).last.error).toEqual({ code })
  await expect.poll(async () => (await fieldEvents(page)).last.rejected).toBe(code)
}

/** Fields that become ready late accept a card. */
async function expectUsable(page: Page): Promise<void> {
  await expectReady(page)
  await expect(noticeOf(page)).toHaveCount(0)
  await typeCard(frameOf(page))
  expect(await tokenOf(page)).toEqual([null, expect.stringMatching(/^ey/)])
}

test('a page at an unregistered origin reports it to the shop and to the shopper', async ({
  page,
  cofre,
  shop,
  vaultUrl,
}) => {
  await registerOrigins(cofre, [shop.url])
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  const address = serveShopPage({ shop, vaultUrl, before: WATCH_READY })
  await openRefused(page, onAnotherSite(address))
  await expect(noticeOf(page)).toContainText(ENGLISH)
  await expectFailure(page)
  await expect(page.locator('iframe')).toBeHidden()
  await expectAccessible(page)
  expect(await namesOf(page)).not.toContain('ready')
  expect(errors).toEqual([])
  await page.evaluate(() => {
    window.fields.destroy()
  })
  await expect(noticeOf(page)).toHaveCount(0)
})

test('a shop that looks at nothing gets no unhandled rejection, and the shopper the text', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await page.route(FRAME_PAGE, (route) => route.abort('connectionrefused'))
  const options = { language: 'pt-BR' }
  await openRefused(page, serveShopPage({ shop, vaultUrl, options }))
  await expect(noticeOf(page)).toContainText(PORTUGUESE)
  await expect(noticeOf(page)).toHaveAttribute('lang', 'pt-BR')
  expect(errors).toEqual([])
})

test('fields whose vault was down are loaded again when the shopper pays', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  await page.route(FRAME_PAGE, (route) => route.abort('connectionrefused'))
  await openRefused(page, serveShopPage({ shop, vaultUrl, before: WATCH_READY }))
  await expectFailure(page)
  const paying = tokenOf(page)
  await page.clock.fastForward(READY_WITHIN_MS)
  expect(await paying).toEqual(['session_network_error'])
  await expect(noticeOf(page)).toBeVisible()

  await page.unroute(FRAME_PAGE)
  expect(await tokenOf(page)).toEqual(['creditcard_invalid_fields'])
  await expectUsable(page)
  expect(await namesOf(page)).toEqual(expect.arrayContaining(['error', 'rejected', 'ready']))
})

test('a frame that comes alive late works, and the text goes', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const { promise: isUp, resolve: bringUp } = Promise.withResolvers<undefined>()
  await page.route(FRAME_PAGE, async (route) => {
    await isUp
    await route.continue()
  })
  // The page's `load` event waits for its frame.
  await page.clock.install()
  const address = serveShopPage({ shop, vaultUrl, before: WATCH_READY })
  await page.goto(address, { waitUntil: 'commit' })
  await expect(page.locator('iframe')).toBeAttached()
  await page.clock.fastForward(READY_WITHIN_MS)
  await expect(noticeOf(page)).toContainText(ENGLISH)
  bringUp(undefined)
  await expectUsable(page)
  await expect(page.locator('iframe')).toBeVisible()
})

test('fields destroyed before they are ready end their promise, and report nothing', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  await page.route(FRAME_PAGE, (route) => route.abort('connectionrefused'))
  await page.clock.install()
  await page.goto(serveShopPage({ shop, vaultUrl, before: WATCH_READY }))
  await page.evaluate(() => {
    window.fields.destroy()
  })
  await page.clock.fastForward(READY_WITHIN_MS)
  const code = 'credit_card_internal_error'
  await expect.poll(async () => (await fieldEvents(page)).last.rejected).toBe(code)
  await expect(noticeOf(page)).toHaveCount(0)
  expect(await namesOf(page)).not.toContain('error')
})

test('a frame whose script does not run is a failure too', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  await page.route('**/fields-frame.min.js', (route) => route.abort('failed'))
  const given: ShopPage = { shop, vaultUrl, before: WATCH_READY }
  await openRefused(page, serveShopPage(given))
  await expectFailure(page)
  await expect(noticeOf(page)).toBeVisible()
})

test('fields that the page moves while the vault is down report it again', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  await page.clock.install()
  await page.goto(serveShopPage({ shop, vaultUrl, before: WATCH_READY }))
  await expectReady(page)
  await page.route(FRAME_PAGE, (route) => route.abort('connectionrefused'))
  const loaded = page.waitForRequest(FRAME_PAGE)
  await page.evaluate(() => {
    document.querySelector('main')?.append(document.querySelector('#fields') ?? '')
  })
  await loaded
  await expect
    .poll(async () => {
      await page.clock.fastForward(READY_WITHIN_MS)
      return await noticeOf(page).count()
    })
    .toBe(1)
  await expect
    .poll(() => namesOf(page))
    .toEqual(expect.arrayContaining(['ready', 'resolved', 'error']))
})
