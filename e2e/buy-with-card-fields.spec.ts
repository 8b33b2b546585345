import { type Page, expect } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { expectRunning } from './card-frame.js'
import { codeIn, expectCardAsked, fieldsIn, openFields, typeCard } from './hosted-fields.js'
import { cardPurchase, merchantAt } from './shop-request.js'
import {
  APPROVED_CARD,
  DECLINED_CARD,
  type Story,
  fillPayer,
  goToCheckout,
  pay,
  test,
} from './story.js'

/**
 * Pays by keyboard: right after a page scrolls, Chromium may still deliver a click to the frame
 * that was at that place.
 */
async function payByKeyboard(page: Page): Promise<void> {
  // The page's script enables the button; a key press does not wait for that.
  await expect(page.getByTestId('pay')).toBeEnabled()
  await page.getByTestId('pay').press('Enter')
}

const SHOPS = [
  ['sandbox', ({ shopUrl }: Story) => shopUrl],
  ['production', ({ productionShopUrl }: Story) => productionShopUrl],
] as const

for (const [environment, urlIn] of SHOPS) {
  const title = `a shopper buys in ${environment} with the vault's fields, in three installments`
  test(title, async ({ page, story }) => {
    await openFields(page, { shopUrl: urlIn(story) })
    // The field keeps its value after the switch.
    await expect(page.getByLabel('E-mail')).toHaveValue('maria@example.com')
    await typeCard(page, APPROVED_CARD)
    await page.getByLabel('Parcelas').selectOption('3')
    await expect(page.getByLabel('Parcelas')).toContainText('total R$ 106,05')
    await pay(page)

    await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
    await expect(page.getByText(/final 1111/)).toBeVisible()
    await expect(page.getByText(/3x de R\$\s35,35/)).toBeVisible()
  })
}

test('the switch is remembered, and leads back', async ({ page, story }) => {
  await openFields(page, story)
  await page.reload()
  await expect(fieldsIn(page).getByLabel('CVV')).toBeVisible()
  await page.getByRole('button', { name: 'Campos da loja' }).click()
  await expect(page.getByLabel('Número do cartão')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
})

test('a shopper sees each error of the card beside its field', async ({ page, story }) => {
  await openFields(page, story)
  await page.getByLabel('CPF').fill('')
  await payByKeyboard(page)
  const problems = page.getByTestId('problems')
  await expect(problems).toBeFocused()
  await expect(problems.getByRole('link')).toHaveCount(2)
  await problems.getByRole('link', { name: 'Confira os dados do cartão' }).click()
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toBeFocused()

  await page.getByLabel('CPF').fill('529.982.247-25')
  await typeCard(page, { ...APPROVED_CARD, number: '4111111111111112' })
  await payByKeyboard(page)
  await expect(problems.getByRole('link')).toHaveCount(1)
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toBeFocused()
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await fieldsIn(page).getByLabel('Número do cartão').fill(APPROVED_CARD.number)
  // Enter in a field pays, as in the shop's own inputs.
  await fieldsIn(page).getByLabel('CVV').press('Enter')
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})

test('a shopper sees when the vault is out of reach, and pays once it is back', async ({
  page,
  story,
}) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await page.route('**/fields.cofre.min.js', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Campos do cofre' }).click()
  await expect(page.locator('[data-card-input=hosted][aria-pressed=true]')).toBeVisible()
  await payByKeyboard(page)
  const offline = page.locator('[data-error-code="session_network_error"]')
  await expect(offline).toBeVisible()
  expect(story.gatewayRequests.filter(({ target }) => target === '/transactions')).toEqual([])

  // The script loads again, but can't reach the page of its frame.
  await page.unroute('**/fields.cofre.min.js')
  await page.route('**/fields?*', (route) => route.abort('connectionrefused'))
  await payByKeyboard(page)
  await expect(offline).toBeHidden()
  await expect(offline).toBeVisible()

  await page.unroute('**/fields?*')
  await payByKeyboard(page)
  await expectCardAsked(page)
  await typeCard(page, APPROVED_CARD)
  await payByKeyboard(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})

test('a shopper whose card is declined tries another', async ({ page, story }) => {
  await openFields(page, story)
  await typeCard(page, DECLINED_CARD)
  await payByKeyboard(page)
  await page.getByRole('link', { name: 'Tentar com outro cartão' }).click()
  await typeCard(page, APPROVED_CARD)
  await payByKeyboard(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})

test('a shopper saves a card that was typed into the fields, and pays with it and its code', async ({
  page,
  story,
}) => {
  await openFields(page, story)
  await typeCard(page, APPROVED_CARD)
  await page.getByLabel('Salvar meu cartão para a próxima compra').check()
  await payByKeyboard(page)
  await expect(page.getByText('Seu cartão foi salvo para a próxima compra.')).toBeVisible()

  await goToCheckout(page, story)
  await fillPayer(page)
  await page.getByLabel(/Pagar com meu cartão salvo/).check()
  await expect(page.locator('#card-fields')).toBeHidden()
  const code = codeIn(page).getByLabel('Código (CVV)')
  await expectRunning(codeIn(page))
  await page.getByLabel('Usar outro cartão').check()
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toBeVisible()
  await expect(page.locator('#security-code')).toBeHidden()
  await page.getByLabel(/Pagar com meu cartão salvo/).check()

  await payByKeyboard(page)
  await expect(page.locator('[data-error-code="creditcard_invalid_fields"]')).toBeVisible()
  await expect(code).toBeFocused()
  await expectAccessibleInBothColours(page)

  // The sandbox finds this code wrong.
  await code.pressSequentially('999')
  await payByKeyboard(page)
  await expect(page.getByRole('heading', { name: 'Pagamento recusado' })).toBeVisible()

  await page.getByRole('link', { name: 'Tentar com outro cartão' }).click()
  await expectRunning(codeIn(page))
  await code.pressSequentially('737')
  // Enter in the field pays.
  await code.press('Enter')
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()

  const bodies = story.gatewayRequests
    .filter(({ target }) => target === '/transactions')
    .map(({ body }) => body)
  const infos = bodies.map(
    (body) =>
      (JSON.parse(body) as { charge: [{ 'payment-info': Record<string, string> }] }).charge[0][
        'payment-info'
      ],
  )
  expect(infos.slice(1).map((info) => Object.keys(info).sort())).toEqual(
    Array(2).fill(['code', 'installments', 'security-code-token']),
  )
  expect(bodies.join()).not.toMatch(/(?<![\w-])(999|737)(?![\w-])/)
  // The shop can't use a token twice.
  const merchant = merchantAt(story.cofre.ports.sandbox)
  const [, , info] = infos
  const again = merchant.createTransaction(
    cardPurchase('again', info as never, `${story.shopUrl}/notifications`),
  )
  await expect(again).rejects.toMatchObject({ status: 400, code: 90402 })
})

test('the checkout with the fields can be read by all, and fits a laptop and a small phone', async ({
  page,
  story,
}) => {
  await openFields(page, story)
  await expectAccessibleInBothColours(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await payByKeyboard(page)
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0)
  }
  await expectAccessibleInBothColours(page)
})
