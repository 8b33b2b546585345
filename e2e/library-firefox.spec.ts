import { expect } from '@playwright/test'
import { type FirefoxPage, findFirefox, openFirefox } from './firefox.js'
import { RELEASED_SCRIPT, VISA, expectPayable, test } from './library-story.js'
import type { ShopServer } from './shop-server.js'

const program = findFirefox()
test.skip(program === undefined, 'no Firefox is installed (FIREFOX_PATH names one)')

let firefox: FirefoxPage

test.beforeAll(async () => {
  firefox = await openFirefox(program ?? '')
})
test.afterAll(() => firefox.close())

async function openLibrary(shop: ShopServer, vaultUrl: string, attributes = ''): Promise<void> {
  const body = `<!doctype html><title>Shop</title><script src="${vaultUrl}/${RELEASED_SCRIPT}" ${attributes}></script>`
  const policy = `default-src 'none'; script-src ${vaultUrl}; connect-src ${vaultUrl}`
  const headers = { 'Content-Security-Policy': policy }
  shop.files.set('/checkout', { type: 'text/html', body, headers })
  await firefox.goto(`${shop.url}/checkout`)
}

/** The callback's arguments. */
async function tokenize(): Promise<[string | null, string?]> {
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
  await expectPayable(cofre, await tokenize())
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
  const answer = await tokenize()
  await expectPayable(cofre, answer)
  const deposited = link.requests.filter(({ path }) => path === '/direct-tokens')
  expect(deposited.map(({ body }) => body)).toEqual([answer[1], answer[1]])
})
