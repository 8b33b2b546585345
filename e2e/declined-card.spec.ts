import { expect } from '@playwright/test'
import {
  APPROVED_CARD,
  DECLINED_CARD,
  fillCard,
  fillPayer,
  goToCheckout,
  pay,
  test,
} from './story.js'

test('a shopper whose card is declined keeps the cart and pays with another', async ({
  page,
  story,
}) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, DECLINED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento recusado' })).toBeVisible()

  await page.getByRole('link', { name: 'Tentar com outro cartão' }).click()
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})
