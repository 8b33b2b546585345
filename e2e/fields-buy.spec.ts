import { expect } from '@playwright/test'
import { placesWithCardData } from './card-data-search.js'
import {
  CARD,
  openFields,
  registerOrigins,
  strictPolicy,
  test,
  fieldEvents,
  tokenOf,
  typeCard,
} from './fields-story.js'
import { expectPayable } from './library-story.js'

test('a shopper buys with the card fields, under a strict policy and isolated', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const problems: string[] = []
  const asked: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === vaultUrl) asked.push(`${request.method()} ${pathname}`)
  })
  const frame = await openFields(page, { shop, vaultUrl, headers: strictPolicy(vaultUrl) })
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  await typeCard(frame)
  await expect(frame.locator('#number')).toHaveValue(CARD.number)
  await expect(frame.locator('#expiry')).toHaveValue(CARD.expiry)
  const answer = await tokenOf(page)
  await expectPayable(cofre, answer)
  expect(await page.evaluate(() => window.fields.card)).toEqual({
    brand: 'visa',
    bin: null,
    lastFour: '1111',
  })
  const { all, last } = await fieldEvents(page)
  expect(last.change).toEqual({
    number: 'valid',
    expiry: 'valid',
    cvv: 'valid',
    complete: true,
    brand: 'visa',
    bin: null,
  })
  expect(placesWithCardData([['heard', JSON.stringify(all)]])).toEqual([])
  expect(problems).toEqual([])
  expect(all.filter(([name]) => name === 'violation' || name === 'window')).toEqual([])
  expect(await page.context().cookies()).toEqual([])
  expect(asked.filter((line) => line.startsWith('POST')).slice(0, 2)).toEqual([
    'POST /sessions',
    'POST /direct-tokens',
  ])
})

test('a store that may sees six digits, and no more', async ({ page, cofre, shop, vaultUrl }) => {
  await registerOrigins(cofre, [shop.url], 'show')
  const frame = await openFields(page, { shop, vaultUrl })
  await typeCard(frame, { number: CARD.number })
  await expect
    .poll(async () => (await fieldEvents(page)).last.change)
    .toMatchObject({ bin: '411111', cvv: 'empty' })
})
