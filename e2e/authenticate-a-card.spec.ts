import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { type Story, fillCard, fillPayer, goToCheckout, pay, test } from './story.js'

/** Test cards that need authentication: Adyen's own, and the sandbox's. */
const CHALLENGED = { number: '4212345678910006', cvv: '737' }
const TEST_CARD = { number: '4000000000000085', cvv: '737' }

/** Buys; the browser ends at the page that waits for the issuer. */
async function goToAuthentication(
  page: Page,
  shop: Pick<Story, 'shopUrl'>,
  card: typeof CHALLENGED,
): Promise<void> {
  await goToCheckout(page, shop)
  await fillPayer(page)
  await fillCard(page, card)
  await pay(page)
  await page.waitForURL(/\/a\/\w{16}$/)
  await expect(page.getByText('O banco do seu cartão quer confirmar que é você.')).toBeVisible()
}

const inProduction = ({ productionShopUrl: shopUrl }: Story) => ({ shopUrl })

/** Pages are scanned only in the first story that opens them. */
const isFirst = (answer: string): boolean => ['Sim, sou eu', 'Aprovar'].includes(answer)

for (const { answer, heading, status } of [
  { answer: 'Sim, sou eu', heading: 'Pagamento aprovado', status: 'Capturado' },
  { answer: 'Não', heading: 'Pedido cancelado', status: 'Recusado' },
])
  test(`a holder who answers “${answer}” at Adyen comes back to: ${heading}`, async ({
    page,
    context,
    story,
  }) => {
    await goToAuthentication(page, inProduction(story), CHALLENGED)
    if (isFirst(answer)) await expectAccessible(page)
    await page.getByRole('link', { name: 'Ir ao banco' }).click()
    await page.waitForURL(/\/challenges\//)
    if (isFirst(answer)) await expectAccessible(page)
    await page.getByRole('button', { name: answer }).click()

    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    expect(page.url()).toContain(story.productionShopUrl)
    if (!isFirst(answer)) await expectAccessible(page)
    const acquirer = await context.newPage()
    await acquirer.goto(story.adyenUrl)
    // The newest payment.
    const payment = acquirer.getByRole('article').first()
    await expect(payment).toContainText(status)
    // Adyen's notice has reported the same outcome.
    const reference = await payment.locator('code').first().innerText()
    const notices = acquirer.getByRole('row').filter({ hasText: reference })
    await expect(notices.filter({ hasText: 'AUTHORISATION' })).toHaveCount(1)
  })

test('a holder who leaves may continue from the shop, and the order follows', async ({
  page,
  context,
  story,
}) => {
  await goToAuthentication(page, inProduction(story), CHALLENGED)
  const bank = await context.newPage()
  await bank.goto(page.url())
  await page.goto(`${story.productionShopUrl}/orders`)
  await page.getByRole('link', { name: /^Pedido \d+/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Aguardando pagamento')
  await expect(page.getByRole('link', { name: 'Continuar no banco do cartão' })).toBeVisible()
  await expectAccessible(page)

  await bank.getByRole('link', { name: 'Ir ao banco' }).click()
  await bank.getByRole('button', { name: 'Sim, sou eu' }).click()
  await bank.waitForURL(/\/orders\//)
  await bank.close()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
})

test('a forged answer, and one that comes twice, change nothing', async ({ page, story }) => {
  await goToAuthentication(page, inProduction(story), CHALLENGED)
  const address = page.url()
  await page.goto(`${address}/return?redirectResult=forged`)
  await expect(page.getByRole('link', { name: 'Ir ao banco' })).toBeVisible()
  expect(page.url()).toBe(address)
  await page.getByRole('link', { name: 'Ir ao banco' }).click()
  const [back] = await Promise.all([
    page.waitForRequest(/\/return\?redirectResult=/),
    page.getByRole('button', { name: 'Não' }).click(),
  ])
  await expect(page.getByRole('heading', { name: 'Pedido cancelado' })).toBeVisible()
  await page.goto(back.url())
  await expect(page.getByRole('heading', { name: 'Pedido cancelado' })).toBeVisible()
  await page.goto(address)
  await expect(page.getByRole('status')).toContainText('Pagamento não aprovado')
  await expect(page.getByRole('link', { name: 'Continuar' })).toBeVisible()
  const result = new URL(back.url()).searchParams.get('redirectResult') ?? address
  const id = new URL(address).pathname.slice('/a/'.length)
  for (const secret of [result, id]) expect(story.cofre.output()).not.toContain(secret)
})

for (const { answer, heading } of [
  { answer: 'Aprovar', heading: 'Pagamento aprovado' },
  { answer: 'Falhar', heading: 'Pedido cancelado' },
])
  test(`the sandbox’s bank asks the holder of a test card, who answers “${answer}”`, async ({
    page,
    story,
  }) => {
    await goToAuthentication(page, story, TEST_CARD)
    await page.getByRole('link', { name: 'Ir ao banco' }).click()
    await expect(page.getByText('Banco de teste')).toBeVisible()
    if (isFirst(answer)) await expectAccessible(page)
    await page.getByRole('link', { name: answer }).click()
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  })
