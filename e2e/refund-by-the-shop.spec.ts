import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { merchantAt } from './shop-request.js'
import { expectRefunds, refundShown } from './shop-refund.js'
import { APPROVED_CARD, type Story, fillCard, fillPayer, goToCheckout, pay, test } from './story.js'

async function buy(page: Page, story: Story): Promise<void> {
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
}

test('the shop refunds a part, then the rest, and the shopper sees each arrive', async ({
  page,
  story,
}) => {
  await buy(page, story)
  const port = story.cofre.ports.sandbox
  const code = await page.getByTestId('order-code').innerText()
  const merchant = merchantAt(port)
  await expect(refundShown(page, { port, amount: 900 })).rejects.toThrow('20609')

  await refundShown(page, { port, amount: 12.5, reference: 'Xícara quebrada' })
  await expectRefunds(page, port, 'PROCESSED')
  await expect(page.getByTestId('order-status')).toHaveText('Reembolsado em parte')
  await expectAccessible(page)

  await refundShown(page, { port, amount: 87.5 })
  await expectRefunds(page, port, 'PROCESSED', 'PROCESSED')
  await expect(page.getByTestId('order-status')).toHaveText('Reembolsado')
  const { refunds } = await merchant.findTransaction(code)
  expect(refunds[0]).toMatchObject({ 'refund-reference': 'Xícara quebrada' })
})

test('an order whose refund was not made is still paid to the shopper', async ({ page, story }) => {
  await buy(page, story)
  const port = story.cofre.ports.sandbox
  await refundShown(page, { port, amount: 100, reference: 'please reject this' })

  await expectRefunds(page, port, 'REJECTED')
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await expect(page.getByTestId('panel-link')).toBeVisible()
})
