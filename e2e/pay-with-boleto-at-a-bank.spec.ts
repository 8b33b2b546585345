import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { buyByBoleto, expectGivenBack, openInter } from './production-bank.js'
import { refundAPart } from './shop-refund.js'
import { type Story, test } from './story.js'

/** Sets on the bank's page when new boletos are issued. */
async function setIssue(bank: Page, { interUrl }: Story, when: string): Promise<void> {
  await bank.goto(interUrl)
  const choice = bank.getByRole('combobox', { name: 'Novos boletos são emitidos' })
  if (!(await choice.isVisible())) await bank.getByText('Como o banco se comporta').click()
  await choice.selectOption(when)
  await bank.getByRole('button', { name: 'Aplicar' }).click()
  await expect(bank.getByRole('status')).toHaveText('Aplicado.')
}

test('a boleto that its bank issues late is paid by its line', async ({ page, context, story }) => {
  const bank = await context.newPage()
  await setIssue(bank, story, 'Quando você emitir')
  await buyByBoleto(page, story)
  await expect(
    page.getByRole('heading', { name: 'O banco está emitindo o seu boleto' }),
  ).toBeVisible()
  await expect(page.getByLabel('Linha digitável')).toBeHidden()
  await bank.goto(story.interUrl)
  // The newest boleto.
  await bank
    .getByRole('link', { name: /^Boleto de R\$\s100,00/ })
    .first()
    .click()
  await bank.getByRole('button', { name: 'Emitir agora' }).click()
  await expect(bank.getByRole('status')).toHaveText('Emitido.')
  await expectAccessible(bank)

  await expect(page.getByLabel('Linha digitável')).toHaveValue(/^0779/)
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 pela linha$/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await setIssue(bank, story, 'Na hora')
})

test('a boleto is paid by PIX, and the shop’s refund reaches the payer', async ({
  page,
  story,
}) => {
  await buyByBoleto(page, story)
  await expect(page.getByLabel('Linha digitável')).toHaveValue(/^0779/)
  const bank = await openInter(page)
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 com Pix$/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')

  // The bank sends no notice of a finished refund: the gateway polls at its own interval.
  await refundAPart(page, story.cofre)
  await expectGivenBack(bank, '12,50')
})
