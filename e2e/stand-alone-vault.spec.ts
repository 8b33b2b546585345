import { expect } from '@playwright/test'
import { openFields, typeCard } from './hosted-fields.js'
import {
  APPROVED_CARD,
  DECLINED_CARD,
  fillCard,
  fillPayer,
  goToCheckout,
  pay,
  payWithSavedCard,
  testStandAlone as test,
} from './story.js'

test('with a stand-alone vault a shopper pays by its fields, is declined, pays, saves the card and pays with it', async ({
  page,
  story,
}) => {
  await openFields(page, story)
  await typeCard(page, APPROVED_CARD)
  await page.getByLabel('Parcelas').selectOption('3')
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
  await expect(page.getByText(/3x de R\$\s35,35/)).toBeVisible()

  await goToCheckout(page, story)
  await page.getByRole('button', { name: 'Campos da loja' }).click()
  await expect(page.locator('iframe')).toHaveCount(0)
  await fillPayer(page)
  await fillCard(page, DECLINED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento recusado' })).toBeVisible()
  await page.getByRole('link', { name: 'Tentar com outro cartão' }).click()
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await page.getByLabel('Salvar meu cartão para a próxima compra').check()
  await pay(page)
  await expect(page.getByText('Seu cartão foi salvo para a próxima compra.')).toBeVisible()

  await payWithSavedCard(page, story)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})
