// Events of later days in production, at one product whose clock is advanced.
import process from 'node:process'
import { type Page, expect } from '@playwright/test'
import { type CofreProcess, freePorts, startCofre } from './cofre-process.js'
import { needs } from './needs.js'
import { buyByBoleto, buyByPix, expectGivenBack, openInter } from './production-bank.js'
import { refundAPart } from './shop-refund.js'
import { merchantAt } from './shop-request.js'
import { fillCard, fillPayer, goToCheckout, pay, test } from './story.js'

/** The test store sends it to Cielo. */
const ELO = { number: '5066991111111050', cvv: '737' }

/** Days past the last payment day of a boleto, including the banks' delay. */
const DAYS_OF_A_BOLETO = 20

let cofre: CofreProcess
let shop: { readonly productionShopUrl: string }
test.beforeAll(async () => {
  const laterClock = new URL('later-clock.mjs', import.meta.url)
  cofre = await startCofre(await freePorts(), {}, ['--import', laterClock.href])
  shop = { productionShopUrl: `http://127.0.0.1:${cofre.ports.productionDemo}` }
})
test.afterAll(() => cofre.dispose())

/** Advances the product's clock, by a day and an hour each time. */
async function passDays(days: number): Promise<void> {
  const moved = () => cofre.output().split('clock moved').length - 1
  const before = moved()
  for (let day = 1; day <= days; day++) {
    process.kill(cofre.pid, 'SIGUSR2')
    // Simultaneous signals count as one.
    await expect.poll(moved, { intervals: [10] }).toBe(before + day)
  }
}

const expectStatus = (page: Page, status: string): Promise<void> =>
  expect(page.getByTestId('order-status')).toHaveText(status)

test('with the days a card’s refund ends at Cielo, a PIX expires, and a boleto ends unpaid', async ({
  page: card,
  context,
}) => {
  needs('SIGUSR2, which Windows has not', process.platform !== 'win32')
  await goToCheckout(card, { shopUrl: shop.productionShopUrl })
  await fillPayer(card)
  await fillCard(card, ELO)
  await pay(card)
  await expect(card.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
  const code = await refundAPart(card, cofre)
  const refundOf = async () => (await merchantAt(cofre.ports.api).findTransaction(code)).refunds[0]
  expect(await refundOf()).toMatchObject({ 'refund-status': 'PROCESSING' })

  const boleto = await context.newPage()
  await buyByBoleto(boleto, shop)
  // A slow bank has not issued it yet.
  await expect(boleto.getByLabel('Linha digitável')).toHaveValue(/^0779/)
  const inter = await openInter(boleto)
  await inter.getByLabel('Outro valor').fill('60,00')
  await inter.getByRole('button', { name: 'Pagar este valor com Pix' }).click()
  await expectGivenBack(inter, '60,00')
  await boleto.reload()
  await expectStatus(boleto, 'Aguardando pagamento')

  const pix = await context.newPage()
  const bank = await buyByPix(pix, shop)

  await passDays(1)
  await expectStatus(pix, 'Expirado')
  await bank.reload()
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 com atraso$/ }).click()
  await expectGivenBack(bank, '100,00')
  await pix.reload()
  await expectStatus(pix, 'Expirado')

  await card.bringToFront()
  // The page of a settled order polls only rarely.
  await expect(async () => {
    await card.reload()
    const shown = card.getByTestId('order-status')
    await expect(shown).toHaveText('Reembolsado em parte', { timeout: 1000 })
  }).toPass()
  const cielo = await context.newPage()
  await cielo.goto(`http://127.0.0.1:${cofre.ports.cielo}`)
  await expect(cielo.getByRole('article').first()).toContainText(/Reembolso: R\$\s12,50\s+Feito/)

  await boleto.bringToFront()
  await passDays(DAYS_OF_A_BOLETO)
  await expectStatus(boleto, 'Não pago')
})
