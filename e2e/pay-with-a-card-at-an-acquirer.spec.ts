import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { expectRefunds, refundAPart } from './shop-refund.js'
import { merchantAt } from './shop-request.js'
import {
  APPROVED_CARD,
  DECLINED_CARD,
  type Story,
  type TestCard,
  fillCard,
  fillPayer,
  goToCheckout,
  pay,
  payWithSavedCard,
  test,
} from './story.js'

/** The test store sends Elo to Cielo, and the other brands to Adyen. */
const ACQUIRERS = [
  {
    name: 'Adyen',
    urlIn: ({ adyenUrl }: Story) => adyenUrl,
    card: APPROVED_CARD,
    declined: { card: DECLINED_CARD, payer: 'Not Enough Balance', code: '51' },
    masked: /visa 411111\*{6}1111/,
  },
  {
    name: 'Cielo',
    urlIn: ({ cieloUrl }: Story) => cieloUrl,
    card: { number: '5066991111111050', cvv: '737' },
    declined: {
      card: { number: '5066991111100012', cvv: '737' },
      payer: 'Maria da Silva',
      code: '05',
    },
    masked: /elo 506699\*{6}1050/,
  },
] as const

/** Fills in an order in production, up to the button that pays. */
async function fillOrder(
  page: Page,
  { productionShopUrl: shopUrl }: Pick<Story, 'productionShopUrl'>,
  { card, payer }: { readonly card: TestCard; readonly payer?: string },
): Promise<void> {
  await goToCheckout(page, { shopUrl })
  await fillPayer(page, payer)
  await fillCard(page, card)
}

/** Changes settings on an acquirer's page. */
async function setAt(acquirer: Page, url: string, settings: Readonly<Record<string, string>>) {
  await acquirer.goto(url)
  const form = acquirer.getByText('Como a adquirente se comporta')
  if (!(await acquirer.getByRole('button', { name: 'Aplicar' }).isVisible())) await form.click()
  for (const [name, value] of Object.entries(settings))
    await acquirer.getByRole('combobox', { name }).selectOption(value)
  await acquirer.getByRole('button', { name: 'Aplicar' }).click()
  await expect(acquirer.getByRole('status')).toHaveText('Aplicado.')
}

/** The payments on an acquirer's page, the newest first; includes those of other stories. */
function paymentsAt(acquirer: Page) {
  return acquirer.getByRole('article').filter({ hasText: /R\$\s100,00, 1x/ })
}

/** The payments after this call: the page shows only the newest fifty of all. */
async function comingPaymentsAt(acquirer: Page) {
  const known = acquirer.getByRole('article')
  const newest = (await known.count()) === 0 ? null : await known.first().getAttribute('id')
  const coming = newest === null ? 'article' : `article:has(~ [id="${newest}"])`
  return paymentsAt(acquirer).and(acquirer.locator(coming))
}

async function expectApproved(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
  return await page.getByTestId('order-code').innerText()
}

/** The page of a settled order polls only rarely, so the gateway's status is awaited first. */
async function expectStatus(
  page: Page,
  { cofre }: Pick<Story, 'cofre'>,
  {
    code,
    status,
    shown,
  }: { readonly code: string; readonly status: string; readonly shown: string },
): Promise<void> {
  const merchant = merchantAt(cofre.ports.api)
  await expect.poll(async () => (await merchant.findTransaction(code)).status).toBe(status)
  await page.reload()
  await expect(page.getByTestId('order-status')).toHaveText(shown)
}

for (const { name, urlIn, card, declined, masked } of ACQUIRERS) {
  test(`a card of production is charged at ${name}, saved and disputed`, async ({
    page,
    context,
    story,
  }) => {
    const acquirer = await context.newPage()
    await acquirer.goto(urlIn(story))
    const coming = await comingPaymentsAt(acquirer)
    await fillOrder(page, story, { card })
    await page.getByLabel('Salvar meu cartão para a próxima compra').check()
    await pay(page)
    await expectApproved(page)
    await payWithSavedCard(page, { shopUrl: story.productionShopUrl })
    const code = await expectApproved(page)
    await acquirer.reload()
    await expect(coming).toHaveCount(2)
    const disputed = coming.first()
    for (const payment of [disputed, coming.nth(1)]) {
      await expect(payment).toContainText(masked)
      await expect(payment).toContainText('Capturado')
    }
    await expectAccessible(acquirer)

    await expect(page.getByTestId('acquirer-link').filter({ hasText: name })).toBeVisible()
    await disputed.getByRole('button', { name: /^Contestar/ }).click()
    await expectStatus(page, story, { code, status: 'CHARGEBACK', shown: 'Contestado' })
    await disputed.getByRole('button', { name: /^Reverter o chargeback/ }).click()
    await expectStatus(page, story, { code, status: 'COMPLETE', shown: 'Pago' })
  })

  test(`a card that ${name} declines is declined for the shopper in vaguer words`, async ({
    page,
    context,
    story,
  }) => {
    await fillOrder(page, story, declined)
    await pay(page)
    await expect(page.getByRole('heading', { name: 'Pagamento recusado' })).toBeVisible()
    await expect(page.getByText('seu carrinho continua salvo', { exact: false })).toBeVisible()
    await expect(page.getByTestId('result')).not.toContainText(/saldo|insufficient|not authorized/i)
    const acquirer = await context.newPage()
    await acquirer.goto(urlIn(story))
    await expect(paymentsAt(acquirer).first()).toContainText('Recusado')

    const code = await page.getByTestId('order-code').innerText()
    const { decline } = await merchantAt(story.cofre.ports.api).findTransaction(code)
    expect(decline?.code).toBe(declined.code)
  })
}

test('the shop’s refund reaches the cardholder at Adyen', async ({ page, context, story }) => {
  await fillOrder(page, story, { card: APPROVED_CARD })
  await pay(page)
  await expectApproved(page)
  await refundAPart(page, story.cofre)
  await expectRefunds(page, story.cofre.ports.api, 'PROCESSED')
  await expect(page.getByTestId('order-status')).toHaveText('Reembolsado em parte')
  const adyen = await context.newPage()
  await adyen.goto(story.adyenUrl)
  await expect(paymentsAt(adyen).first()).toContainText(/Reembolso: R\$\s12,50\s+Feito/)
})

test('a card goes to the next acquirer while the first is away, and to none on doubt', async ({
  page,
  context,
  story,
}) => {
  const adyen = await context.newPage()
  await setAt(adyen, story.adyenUrl, { Conexões: 'Nenhuma: a adquirente está fora do ar' })
  const atAdyen = await comingPaymentsAt(adyen)
  const cielo = await context.newPage()
  await cielo.goto(story.cieloUrl)
  const atCielo = await comingPaymentsAt(cielo)
  await fillOrder(page, story, { card: APPROVED_CARD })
  await pay(page)
  await expectApproved(page)
  await cielo.reload()
  await expect(atCielo).toHaveCount(1)

  await setAt(adyen, story.adyenUrl, { Conexões: 'Cortadas depois de registrar' })
  await fillOrder(page, story, { card: APPROVED_CARD })
  await pay(page)
  // Adyen's notice arrives independently of the page: it may settle the payment before the page
  // shows it as unknown.
  const confirmation = page.getByRole('heading', { name: /^(Pedido recebido|Pagamento aprovado)$/ })
  await expect(confirmation).toBeVisible()
  await setAt(adyen, story.adyenUrl, { Conexões: 'Mantidas' })
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await adyen.reload()
  await expect(atAdyen).toHaveCount(1)
  await cielo.reload()
  await expect(atCielo).toHaveCount(1)
})
