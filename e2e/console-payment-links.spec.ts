import { type Page, expect, test } from '@playwright/test'
import { freePorts, startCofre } from './cofre-process.js'
import { confirm, expectGoodPage, invite, join, ownerLink, placeOf } from './staff.js'

/** On the page of the list, by way of the form. */
async function makeLink(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Valor em reais').fill(amount)
  await page.getByLabel('Descrição').fill('Duas canecas')
  await page.getByLabel('Notificações vão para').fill('https://loja.example/notificacoes')
  await page.getByRole('button', { name: 'Criar o link' }).click()
}

test('an owner makes and revokes a link, and support changes nothing', async ({ browser }) => {
  const cofre = await startCofre(await freePorts())
  const { ports } = cofre
  const link = await ownerLink(cofre, 'ana@example.com')
  const owner = await join(browser, link, { name: 'Ana Dona' })
  const support = await join(browser, await invite(owner, 'bia@example.com', 'Atendimento'), {
    name: 'Bia Atende',
  })

  const { page } = owner
  await page.goto(placeOf(page, '/payments'))
  await page.getByRole('link', { name: 'Links de pagamento' }).click()
  await expect(page.getByText('Ainda não há links de pagamento')).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Novo link de pagamento' }).click()
  await expectGoodPage(page)
  await page.getByLabel('Boleto').uncheck()
  await makeLink(page, '0,50')
  await expect(page.getByRole('alert')).toContainText(/No mínimo R\$\s1,00/)
  await expect(page.getByLabel('Valor em reais')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Boleto')).not.toBeChecked()
  await expectGoodPage(page)
  const reference = await page.getByLabel('Referência').inputValue()
  const sending = page.waitForRequest((request) => request.method() === 'POST')
  await makeLink(page, '42,50')
  const sent = await sending
  await expect(page.getByText('O link está pronto.')).toBeVisible()
  await expectGoodPage(page)
  const address = (await page.locator('#link-address').innerText()).trim()
  expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${ports.api}/pay/[\\w-]{22}$`))
  const linkPage = page.url()
  const shopper = await (await browser.newContext({ locale: 'pt-BR' })).newPage()
  await shopper.goto(address)
  await expect(shopper.getByText('Duas canecas')).toBeVisible()
  await expect(shopper.getByText(/R\$\s42,50/).first()).toBeVisible()

  // Sent once more, the form leads to the same link.
  const again = await page.request.post(sent.url(), {
    data: sent.postData() ?? '',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(linkPage).origin,
    },
  })
  expect(again.url()).toBe(linkPage)
  await page.goto(placeOf(page, '/payment-links'))
  const rows = page.getByRole('row').filter({ hasText: reference })
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(/a pagar.*R\$\s42,50.*Ana Dona/)
  await expectGoodPage(page)

  const path = new URL(linkPage).pathname
  const { origin } = new URL(support.page.url())
  await support.page.goto(`${origin}${path}`)
  await expect(support.page.getByText('Duas canecas')).toBeVisible()
  await expect(support.page.getByRole('link', { name: 'Revogar o link' })).toHaveCount(0)
  const csrf = await support.page.locator('[name=csrf]').first().inputValue()
  for (const forbidden of [`${path}/revoke`, placeOf(support.page, '/payment-links/new')]) {
    const url = new URL(forbidden, origin).href
    expect((await support.page.request.get(url)).status()).toBe(403)
    const form = { csrf, here: path }
    const refused = await support.page.request.post(url, { form, headers: { origin } })
    expect(refused.status()).toBe(403)
  }

  await page.goto(linkPage)
  await page.getByRole('link', { name: 'Revogar o link' }).click()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Revogar o link' }).click()
  if (await page.getByRole('heading', { name: 'Confirme que é você' }).isVisible())
    await confirm(owner)
  await expect(page.getByText('O link foi revogado.').first()).toBeVisible()
  await expect(page.getByText('Revogado por')).toBeVisible()
  await expectGoodPage(page)
  await shopper.reload()
  await expect(shopper.getByRole('button', { name: /PIX|Pagar/ })).toHaveCount(0)

  await page.goto(placeOf(page, '/acts'))
  const acts = page.getByRole('row').filter({ hasText: 'Link de pagamento' })
  await expect(acts.filter({ hasText: 'Bia Atende' })).toHaveCount(2)
  await expect(acts.filter({ hasText: 'revogado' }).filter({ hasText: 'Ana Dona' })).toHaveCount(1)
  await expect(acts.filter({ hasText: path.slice(-22) }).first()).toBeVisible()
  await cofre.dispose()
})
