import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { placesWithCardData } from './card-data-search.js'
import { CARD, serveShopPage, strictPolicy, test } from './fields-story.js'
import { type FirefoxPage, findFirefox, openFirefox } from './firefox.js'
import { RELEASED_SCRIPT, VISA, expectPayable } from './library-story.js'
import { needs } from './needs.js'
import { cardPurchase, merchantAt } from './shop-request.js'
import type { ShopServer } from './shop-server.js'

const program = findFirefox()

const TAB = '\uE004'

let firefox: FirefoxPage

test.beforeAll(async () => {
  if (program !== undefined) firefox = await openFirefox(program)
})
test.beforeEach(() => {
  needs('firefox (FIREFOX_PATH names one)', program !== undefined)
})
test.afterAll(async () => {
  if (program !== undefined) await firefox.close()
})

const expectReady = (times: number): Promise<void> =>
  expect
    .poll(() => firefox.evaluate(`String(heard.filter(([name]) => name === 'ready').length)`))
    .toBe(String(times))

/** Types the card key by key; Tab moves from field to field. */
async function typeCard(): Promise<void> {
  await firefox.evaluate(`fields.focus('number') ?? ''`)
  const frame = await firefox.frame()
  await expect.poll(() => frame.evaluate(`document.activeElement.id`)).toBe('number')
  await frame.press(`${CARD.number.replaceAll(' ', '')}${TAB}1235${TAB}${CARD.cvv}`)
  expect(await frame.evaluate(`[number, expiry, cvv].map(({ value }) => value).join()`)).toBe(
    `${CARD.number},${CARD.expiry},${CARD.cvv}`,
  )
}

async function tokenize(): Promise<[string | null, string?]> {
  const answer = await firefox.evaluate(`new Promise((resolve) => {
    fields.getDirectToken((...answer) => { resolve(JSON.stringify(answer)) })
  })`)
  return JSON.parse(answer) as [string | null, string?]
}

test('a shopper buys with the card fields in Firefox, under a strict policy and isolated', async ({
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  await firefox.goto(serveShopPage({ shop, vaultUrl, headers: strictPolicy(vaultUrl) }))
  await expectReady(1)
  await typeCard()
  await expectPayable(cofre, await tokenize())
  const heard = await firefox.evaluate('JSON.stringify(heard)')
  expect(JSON.parse(heard)).toContainEqual([
    'change',
    { number: 'valid', expiry: 'valid', cvv: 'valid', complete: true, brand: 'visa', bin: null },
  ])
  // Firefox requests the icon even for a page that allows no images.
  const problems = (JSON.parse(heard) as string[][]).filter(
    ([name, what]) => name === 'window' || (name === 'violation' && what !== 'img-src'),
  )
  expect(problems).toEqual([])
  expect(placesWithCardData([['heard', heard]])).toEqual([])
  expect(
    Number(await firefox.evaluate(`String(document.querySelector('iframe').offsetHeight)`)),
  ).toBe(Number(await (await firefox.frame()).evaluate(`String(document.body.offsetHeight)`)))
})

test('a shopper with a saved card types its code in Firefox', async ({
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const headers = strictPolicy(vaultUrl)
  const options = { element: 'security-code' }
  await firefox.goto(serveShopPage({ shop, vaultUrl, headers, options }))
  await expectReady(1)
  await firefox.evaluate(`fields.focus() ?? ''`)
  const frame = await firefox.frame()
  await expect.poll(() => frame.evaluate(`document.activeElement.id`)).toBe('cvv')
  await frame.press('737')
  const [err, token = ''] = await tokenize()
  expect(err).toBeNull()
  const info = {
    installments: 1,
    code: 'SANDBOXSAVEDCARD0000000000000001',
    'security-code-token': token,
  }
  const order = cardPurchase(randomUUID(), info)
  const { transaction } = await merchantAt(cofre.ports.sandbox).createTransaction(order)
  expect(transaction.status).toBe('PAID')
})

/** @returns true if the browser kept the page */
async function leaveAndComeBack(shop: ShopServer): Promise<boolean> {
  shop.files.set('/next', { type: 'text/html', body: '<!doctype html><title>Next</title>' })
  // A kept page still has the mark.
  await firefox.evaluate(`(window.mark = 'kept', '')`)
  await firefox.goto(`${shop.url}/next`)
  await firefox.evaluate(`(setTimeout(() => history.back()), '')`)
  await expect.poll(() => firefox.evaluate('document.title')).toBe('Shop')
  const isKept = (await firefox.evaluate('String(window.mark)')) === 'kept'
  await expectReady(isKept ? 2 : 1)
  return isKept
}

test('a page that was left and is come back to can pay at once in Firefox', async ({
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  await firefox.goto(serveShopPage({ shop, vaultUrl }))
  await expectReady(1)
  await leaveAndComeBack(shop)
  await typeCard()
  await expectPayable(cofre, await tokenize())
})

test('a page that was left while a session was requested can pay when it is come back to in Firefox', async ({
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  await firefox.goto(serveShopPage({ shop, vaultUrl }))
  await expectReady(1)
  const frame = await firefox.frame()
  // The request for the next card's session never ends, as if leaving the page had cut it.
  await frame.evaluate(`((real) => {
    let isCut = false
    globalThis.fetch = (url, init) => {
      if (isCut || !String(url).endsWith('/sessions')) return real(url, init)
      isCut = true
      return new Promise(() => {})
    }
    return ''
  })(fetch)`)
  await typeCard()
  await expectPayable(cofre, await tokenize())
  const isKept = await leaveAndComeBack(shop)
  // A kept page still has the typed values.
  if (!isKept) await typeCard()
  await expectPayable(cofre, await tokenize())
})

test('a click right after typing what is wrong meets the button of the shop in Firefox', async ({
  registered: shop,
  vaultUrl,
}) => {
  await firefox.goto(serveShopPage({ shop, vaultUrl }))
  await expectReady(1)
  await firefox.evaluate(
    `(document.querySelector('button').onclick = () => { document.title = 'clicked' }, '')`,
  )
  await firefox.evaluate(`fields.focus('number') ?? ''`)
  const frame = await firefox.frame()
  await expect.poll(() => frame.evaluate(`document.activeElement.id`)).toBe('number')
  await frame.press('4111111111111112')
  const height = () => firefox.evaluate(`String(document.querySelector('iframe').offsetHeight)`)
  const content = () => frame.evaluate('String(document.body.offsetHeight)')
  const before = await height()
  await firefox.mouse('pointerDown', 'button')
  // A headless Firefox takes the focus out of the frame, but sends no event for it.
  await frame.evaluate(`String(number.dispatchEvent(new Event('blur')))`)
  await expect.poll(content).not.toBe(before)
  expect(await height()).toBe(before)
  await firefox.mouse('pointerUp', 'button')
  await expect.poll(() => firefox.evaluate('document.title')).toBe('clicked')
  await expect.poll(height).toBe(await content())
})

async function openLibrary(shop: ShopServer, vaultUrl: string, attributes = ''): Promise<void> {
  const body = `<!doctype html><title>Shop</title><script src="${vaultUrl}/${RELEASED_SCRIPT}" ${attributes}></script>`
  const policy = `default-src 'none'; script-src ${vaultUrl}; connect-src ${vaultUrl}`
  const headers = { 'Content-Security-Policy': policy }
  shop.files.set('/checkout', { type: 'text/html', body, headers })
  await firefox.goto(`${shop.url}/checkout`)
}

/** The callback's arguments. */
async function tokenizeByLibrary(): Promise<[string | null, string?]> {
  const answer = await firefox.evaluate(`new Promise((resolve) => {
    new Cofre.PaymentMethod().getDirectToken(${JSON.stringify(VISA)}, (...answer) => {
      resolve(JSON.stringify(answer))
    })
  })`)
  return JSON.parse(answer) as [string | null, string?]
}

test('a card is tokenized in Firefox, under a strict policy, without a preflight', async ({
  cofre,
  link,
  shop,
}) => {
  const manifest = (await (await fetch(`${link.url}/integrity.json`)).json()) as {
    files: [{ integrity: string }]
  }
  const { integrity } = manifest.files[0]
  await openLibrary(shop, link.url, `integrity="${integrity}" crossorigin="anonymous"`)
  await expectPayable(cofre, await tokenizeByLibrary())
  expect(new Set(link.requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']))
})

test('a script of another hash does not run in Firefox', async ({ link, shop }) => {
  const wrong = `sha384-${'A'.repeat(64)}`
  await openLibrary(shop, link.url, `integrity="${wrong}" crossorigin="anonymous"`)
  expect(await firefox.evaluate('typeof Cofre')).toBe('undefined')
})

test('a deposit that is lost is repeated with the same token in Firefox', async ({
  cofre,
  link,
  shop,
}) => {
  link.disturb('/direct-tokens', { kind: 'cut after the vault' }, 1)
  await openLibrary(shop, link.url)
  const answer = await tokenizeByLibrary()
  await expectPayable(cofre, answer)
  const deposited = link.requests.filter(({ path }) => path === '/direct-tokens')
  expect(deposited.map(({ body }) => body)).toEqual([answer[1], answer[1]])
})
