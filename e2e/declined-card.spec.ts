import { expect } from '@playwright/test'
import { panelUrlOf, signIn } from './panel-story.js'
import {
  APPROVED_CARD,
  DECLINED_CARD,
  fillCard,
  fillPayer,
  goToCheckout,
  pay,
  test,
} from './story.js'

/** A test card that its issuer reports as stolen. */
const STOLEN_CARD = { number: '4000000000004301', cvv: '737' }
const REFUSED = 'O banco não aprovou este pagamento.'

test('a shopper whose card is declined keeps the cart and pays with another', async ({
  page,
  story,
}) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, DECLINED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento recusado' })).toBeVisible()
  await expect(page.getByTestId('result')).toContainText(REFUSED)

  await page.getByRole('link', { name: 'Tentar com outro cartão' }).click()
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})

test('a stolen card is a stolen card to the shop alone', async ({ page, story }) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, STOLEN_CARD)
  await pay(page)
  const result = page.getByTestId('result')
  await expect(result).toContainText(REFUSED)
  await expect(page.locator('body')).not.toContainText(/roubad|stolen/i)
  const code = await page.getByTestId('order-code').textContent()

  await signIn(page, panelUrlOf(story.cofre))
  await page.goto(`${panelUrlOf(story.cofre)}/transactions/${code}`)
  await expect(page.getByText('O cartão foi comunicado como roubado.')).toBeVisible()
})
