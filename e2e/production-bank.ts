// The demo shop's orders in production, and the simulated banks' pages for payers.
import { type Page, expect } from '@playwright/test'
import { fillAddress } from './payment-link-story.js'
import { type Story, fillPayer, goToCheckout } from './story.js'

type Shop = Pick<Story, 'productionShopUrl'>

/** Buys a gift card by PIX in production, and opens the charge's page at the simulated bank. */
export async function buyByPix(page: Page, { productionShopUrl }: Shop): Promise<Page> {
  await goToCheckout(page, { shopUrl: productionShopUrl })
  await fillPayer(page)
  await page.getByRole('radio', { name: 'PIX' }).check()
  await page.getByRole('button', { name: /^Pagar R\$\s100,00 com PIX$/ }).click()
  await expect(page.getByLabel('PIX copia e cola')).toHaveValue(/br\.gov\.bcb\.pix/)
  return await openBank(page, 'banco simulado', /^Cobrança de R\$\s100,00/)
}

/** Buys a gift card by boleto in production. */
export async function buyByBoleto(page: Page, { productionShopUrl }: Shop): Promise<void> {
  await goToCheckout(page, { shopUrl: productionShopUrl })
  await fillPayer(page)
  await page.getByRole('radio', { name: 'Boleto' }).check()
  await fillAddress(page)
  // The response waits eight seconds for a bank that issues late.
  await page.getByRole('button', { name: /^Gerar boleto de R/ }).click()
}

/** The simulated Inter's page of the shopper's boleto. */
export function openInter(page: Page): Promise<Page> {
  return openBank(page, 'Inter simulado', /^Boleto de R\$\s100,00/)
}

async function openBank(page: Page, name: string, heading: RegExp): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name }).click()
  const bank = await opened
  await expect(bank.getByRole('heading', { name: heading })).toBeVisible()
  return bank
}

/** A bank's page changes only when it is loaded again. */
export async function expectGivenBack(bank: Page, amount: string): Promise<void> {
  const devolution = new RegExp(`Devolução de R\\$\\s${amount}\\s+Devolvida`)
  const text = async () => {
    const answer = await bank.request.get(bank.url())
    return (await answer.text()).replaceAll(/<[^>]+>/g, ' ').replaceAll('&nbsp;', ' ')
  }
  await expect.poll(text).toMatch(devolution)
  await bank.reload()
  await expect(bank.getByText(new RegExp(`Devolução de R\\$\\s${amount} Devolvida`))).toBeVisible()
}
