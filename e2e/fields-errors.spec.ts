import { type FrameLocator, type Page, expect } from '@playwright/test'
import {
  CARD,
  expectReady,
  frameOf,
  onAnotherSite,
  openFields,
  serveShopPage,
  test,
  tokenOf,
  typeCard,
} from './fields-story.js'

const WRONG_NUMBER = '4111 1111 1111 1112'

/** Presses the shop's button with the mouse. */
async function press(page: Page): Promise<void> {
  const box = await page.locator('button').boundingBox()
  if (box === null) throw new Error('no button')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
}

const heightOf = async (page: Page): Promise<number> =>
  (await page.locator('iframe').boundingBox())?.height ?? 0

const errorOf = (frame: FrameLocator, field: string) => frame.locator(`#${field}-error`)

test('a click right after typing what is wrong meets the button of the shop', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const frame = await openFields(page, { shop, vaultUrl })
  await page.evaluate(() => {
    document.querySelector('button')?.addEventListener('click', () => {
      document.title = 'clicked'
    })
  })
  await typeCard(frame, { number: WRONG_NUMBER } as never)
  const before = await heightOf(page)
  await press(page)
  await expect(errorOf(frame, 'number')).not.toBeEmpty()
  // By then the page would have made room for the error.
  for (let i = 0; i < 3; i++) await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await heightOf(page)).toBe(before)
  await page.mouse.up()
  await expect(page).toHaveTitle('clicked')
  await expect.poll(() => heightOf(page)).toBeGreaterThan(before)
})

test('a button that was pressed and let go over the frame keeps no error out of sight', async ({
  browser,
  registered: shop,
  vaultUrl,
}) => {
  // In its own context: Chromium's pressed state depends on earlier presses.
  const context = await browser.newContext()
  const page = await context.newPage()
  const frame = await openFields(page, { shop, vaultUrl })
  const before = await heightOf(page)
  await press(page)
  await frame.locator('#number').hover({ force: true })
  await page.mouse.up()
  // Chromium treats the button as pressed until the next press.
  expect(await page.locator('button:active').count()).toBe(1)
  await page.evaluate(() => {
    window.fields.focus('number')
  })
  await typeCard(frame, { number: WRONG_NUMBER } as never)
  await page.keyboard.press('Tab')
  await expect.poll(() => heightOf(page)).toBeGreaterThan(before)
  await context.close()
})

test('an error stays until its field is right, wherever the cursor goes', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const frame = await openFields(page, { shop, vaultUrl })
  await frame.locator('#cvv').focus()
  expect(await tokenOf(page)).toEqual(['creditcard_invalid_fields'])
  await expect(frame.locator('#number')).toBeFocused()
  await page.locator('button').focus()
  for (const field of ['number', 'expiry', 'cvv'])
    await expect(errorOf(frame, field), field).not.toBeEmpty()
  await typeCard(frame)
  for (const field of ['number', 'expiry', 'cvv'])
    await expect(errorOf(frame, field), field).toBeEmpty()
})

test('an error goes when another field, or what a browser fills in, makes it right', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const frame = await openFields(page, { shop, vaultUrl })
  // The code of an Amex, typed before its number.
  await typeCard(frame, { number: CARD.number, cvv: '1234' } as never)
  await page.locator('button').focus()
  await expect(errorOf(frame, 'cvv')).not.toBeEmpty()
  await frame.locator('#number').fill('')
  await frame.locator('#number').pressSequentially('378282246310005')
  await expect(errorOf(frame, 'cvv')).toBeEmpty()
  await page.evaluate(() => (window.fields.getDirectToken() as Promise<unknown>).catch(() => 0))
  await expect(errorOf(frame, 'expiry')).not.toBeEmpty()
  await frame.locator('#expiry').evaluate((input) => {
    ;(input as HTMLInputElement).value = '12/35'
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect(errorOf(frame, 'expiry')).toBeEmpty()
})

test('the Delete key gets over a gap', async ({ page, registered: shop, vaultUrl }) => {
  const frame = await openFields(page, { shop, vaultUrl })
  const number = frame.locator('#number')
  await number.pressSequentially('411122223333')
  await number.press('Home')
  for (let i = 0; i < 4; i++) await number.press('ArrowRight')
  await number.press('Delete')
  await number.press('Delete')
  await expect(number).toHaveValue('4111 2223 333')
})

test('the cursor goes where the page sends it, though the page has just taken the focus', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  // On another site the frame has its own process, which receives each event a little later.
  await page.goto(onAnotherSite(serveShopPage({ shop, vaultUrl })))
  await expectReady(page)
  const number = frameOf(page).getByLabel('Card number')
  await number.focus()
  for (let round = 0; round < 30; round++) {
    await page.evaluate(() => {
      document.querySelector('button')?.focus()
      window.fields.focus('number')
    })
    await expect(number).toBeFocused({ timeout: 5000 })
  }
})
