import { type Page, expect } from '@playwright/test'
import {
  SCRIPT,
  VISA,
  expectPayable,
  newInstance,
  openLibrary,
  openPage,
  payWith,
  test,
  tokenize,
} from './library-story.js'
import type { Disturbance, VaultLink } from './vault-link.js'

const SESSIONS = '/sessions'
const DEPOSITS = '/direct-tokens'
const DAY_MS = 86_400_000
const CUT: Disturbance = { kind: 'cut before the vault' }

const answer = (status: number, body = '{}'): Disturbance => ({ kind: 'answer', status, body })

/** The library tries a deposit twice. */
const FAILURES: readonly (readonly [name: string, disturbance: Disturbance, attempts: number])[] = [
  ['a cut connection', CUT, 2],
  ['a 500', answer(500), 2],
  ['a 429', answer(429), 2],
]

const deposits = (link: VaultLink): string[] =>
  link.requests.filter(({ path }) => path === DEPOSITS).map(({ body }) => body)

/** Sets the page's running clock wrong by the given milliseconds. */
async function skewClock(page: Page, byMs: number): Promise<void> {
  await page.addInitScript((skewMs) => {
    const rightNow = Date.now.bind(Date)
    Date.now = () => rightNow() + skewMs
  }, byMs)
}

test.describe('a session that cannot be had', () => {
  const TROUBLES: readonly (readonly [string, Disturbance, string])[] = [
    ['a cut connection', CUT, 'session_network_error'],
    ['a lost answer', { kind: 'cut after the vault' }, 'session_network_error'],
    ['half an answer', { kind: 'cut within the answer' }, 'session_network_error'],
    ['a 500', answer(500), 'session_create_error'],
    ['a 429', answer(429), 'session_create_error'],
    ['a page of a captive portal', answer(200, '<html>'), 'session_create_error'],
    ['garbage', answer(201, '{"id":'), 'session_create_error'],
    ['an empty object', answer(201), 'session_create_error'],
  ]
  test('is named, until it passes', async ({ page, cofre, link, shop }) => {
    for (const [name, disturbance, error] of TROUBLES)
      await test.step(`because of ${name}: ${error}`, async () => {
        const before = deposits(link).length
        link.disturb(SESSIONS, disturbance)
        await openLibrary({ page, shop }, link)
        expect(await tokenize(page), name).toEqual([error])
        expect(await tokenize(page), name).toEqual([error])
        expect(deposits(link)).toHaveLength(before)
        link.restore()
        await expectPayable(cofre, await tokenize(page))
      })
  })

  test('in time is session_creating_in_progress, and serves a later call', async ({
    page,
    cofre,
    link,
    shop,
  }) => {
    const opened = (): number => link.requests.filter(({ path }) => path === SESSIONS).length
    link.disturb(SESSIONS, { kind: 'late', delayMs: 1_500 }, 1)
    await openLibrary({ page, shop }, link, { sessionTimeout: 200 })
    expect(await tokenize(page)).toEqual(['session_creating_in_progress'])
    expect(await page.evaluate(() => window.paymentMethod.isReady())).toBe(false)
    await page.waitForFunction(() => window.paymentMethod.isReady())
    expect(opened()).toBe(1)
    await expectPayable(cofre, await tokenize(page))
  })
})

test.describe('a deposit that fails', () => {
  test('for want of an answer is repeated with the same token, and is one card', async ({
    page,
    cofre,
    link,
    shop,
  }) => {
    link.disturb(DEPOSITS, { kind: 'cut after the vault' }, 1)
    await openLibrary({ page, shop }, link)
    const [err, token] = await tokenize(page)
    expect(err).toBeNull()
    expect(deposits(link)).toEqual([token, token])
    expect(await payWith(cofre, token)).toBe('PAID')
    expect(await payWith(cofre, token)).not.toBe('PAID')
  })

  test('once is repeated with the same token', async ({ page, cofre, link, shop }) => {
    for (const [name, disturbance] of FAILURES)
      await test.step(`because of ${name}`, async () => {
        const before = deposits(link).length
        link.disturb(DEPOSITS, disturbance, 1)
        await openLibrary({ page, shop }, link)
        const answered = await tokenize(page)
        expect(deposits(link).slice(before), name).toEqual([answered[1], answered[1]])
        await expectPayable(cofre, answered)
      })
  })

  test('again and again is credit_card_internal_error', async ({ page, cofre, link, shop }) => {
    const portal = ['a captive portal', answer(200, '<html>'), 1] as const
    for (const [name, disturbance, attempts] of [...FAILURES, portal])
      await test.step(`because of ${name}`, async () => {
        const before = deposits(link).length
        link.disturb(DEPOSITS, disturbance)
        await openLibrary({ page, shop }, link)
        expect(await tokenize(page), name).toEqual(['credit_card_internal_error'])
        const made = deposits(link).slice(before)
        expect(made, name).toHaveLength(attempts)
        expect(new Set(made).size).toBe(1)
        link.restore()
        await expectPayable(cofre, await tokenize(page))
      })
  })
})

test('a shopper who is offline sees it, and pays once back', async ({
  page,
  cofre,
  link,
  shop,
  context,
}) => {
  await openPage({ page, shop }, `<script src="${link.url}/${SCRIPT}"></script>`)
  await context.setOffline(true)
  await newInstance(page)
  expect(await tokenize(page)).toEqual(['session_network_error'])
  await context.setOffline(false)
  await expectPayable(cofre, await tokenize(page))

  await page.waitForFunction(() => window.paymentMethod.isReady())
  await context.setOffline(true)
  expect(await tokenize(page)).toEqual(['credit_card_internal_error'])
  await context.setOffline(false)
  await expectPayable(cofre, await tokenize(page))
})

test('a slow network is waited for', async ({ page, cofre, link, shop, context }) => {
  await openPage({ page, shop }, `<script src="${link.url}/${SCRIPT}"></script>`)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 700,
    downloadThroughput: 5_000,
    uploadThroughput: 5_000,
  })
  await newInstance(page, { sessionTimeout: 15_000 })
  await expectPayable(cofre, await tokenize(page))
  // Later stories use the same page.
  await devtools.detach()
})

test.describe('on a computer whose clock is wrong', () => {
  for (const days of [-1500, 1, 365]) {
    test(`by ${days} days a card is tokenized`, async ({ page, cofre, link, shop }) => {
      await skewClock(page, days * DAY_MS)
      await openLibrary({ page, shop }, link)
      await expectPayable(cofre, await tokenize(page))
      await expectPayable(cofre, await tokenize(page))
    })
  }

  test('the vault refuses a card that has expired', async ({ page, link, shop }) => {
    await skewClock(page, -730 * DAY_MS)
    await openLibrary({ page, shop }, link)
    const lastYear = new Date().getFullYear() - 1
    const expired = { ...VISA, expiration: { month: '12', year: lastYear } }
    expect(await page.evaluate((card) => window.paymentMethod.validate(card), expired)).toEqual([])
    expect(await tokenize(page, expired)).toEqual(['creditcard_invalid_fields'])
    expect(deposits(link)).toHaveLength(1)
  })

  test('and jumps ahead, a session that seems old is replaced', async ({
    page,
    cofre,
    link,
    shop,
  }) => {
    await openLibrary({ page, shop }, link)
    await page.waitForFunction(() => window.paymentMethod.isReady())
    await page.evaluate((aheadMs) => {
      const rightNow = Date.now.bind(Date)
      Date.now = () => rightNow() + aheadMs
    }, DAY_MS)
    expect(await page.evaluate(() => window.paymentMethod.isReady())).toBe(false)
    await expectPayable(cofre, await tokenize(page))
  })
})

test('a wrong call returns its error string, and nothing is sent', async ({ page, link, shop }) => {
  await openLibrary({ page, shop }, link)
  expect(await tokenize(page, 'a string')).toEqual(['creditcard_object_malformed'])
  expect(await tokenize(page, { creditCard: '4111' })).toEqual(['creditcard_invalid_object'])
  expect(await tokenize(page, { ...VISA, cvv: '1' })).toEqual(['creditcard_invalid_fields'])
  const [log, answered] = await Promise.all([
    page.waitForEvent('console'),
    page.evaluate((card) => window.paymentMethod.getDirectToken(card, undefined), VISA),
  ])
  expect([log.type(), log.text(), answered]).toEqual([
    'error',
    'callback_must_be_a_function',
    false,
  ])
  expect(deposits(link)).toEqual([])
})

test('a page without HTTPS gets a warning on the console', async ({ page, link }) => {
  const script = await (await fetch(`${link.url}/${SCRIPT}`)).text()
  await page.route('http://shop.example/**', (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({ contentType: 'text/html', body: `<script src="/${SCRIPT}"></script>` }),
  )
  await page.goto('http://shop.example/checkout')
  const [log] = await Promise.all([page.waitForEvent('console'), newInstance(page)])
  expect(log.text()).toBe('session_create_error: no HTTPS')
  expect(await tokenize(page)).toEqual(['session_create_error'])
})
