import { type Locator, expect } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { expectRunning } from './card-frame.js'
import { type Place, placesOfProcess, placesWithCardData } from './card-data-search.js'
import {
  type LinkEnvironment,
  PAYER,
  choose,
  expectState,
  fillAddress,
  fillCard,
  fillPayer,
  makeLink,
  pay,
  reportStatus,
} from './payment-link-story.js'
import { depositCard, merchantAt } from './shop-request.js'
import { APPROVED_CARD, DECLINED_CARD, test } from './story.js'

for (const environment of ['sandbox', 'production'] satisfies LinkEnvironment[]) {
  test.describe(`in ${environment}`, () => {
    test('a card is declined, then another pays, and no digit of one is left behind', async ({
      page,
      cofre,
    }) => {
      const seen: Place[] = []
      page.on('request', (request) => {
        if (new URL(request.url()).port !== String(cofre.ports.vault))
          seen.push(['request to the page', `${request.url()}\n${request.postData() ?? ''}`])
      })
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      const { url } = await makeLink(cofre, environment)
      await page.goto(url)
      // Adyen's simulator declines by this name, the sandbox by the card.
      await fillPayer(page, 'Not Enough Balance')
      await fillCard(page, DECLINED_CARD)
      await pay(page)
      await expectState(page, 'declined')
      await expect(page.getByTestId('decline')).toContainText('Nada foi cobrado.')

      await page.getByRole('link', { name: 'Tentar de novo' }).click()
      await expect(page.getByLabel('E-mail')).toHaveValue(PAYER.email)
      await fillPayer(page)
      await fillCard(page, APPROVED_CARD)
      await page.getByLabel('Parcelas').selectOption('3')
      seen.push(['the page', await page.content()])
      await pay(page)
      await expectState(page, 'paid')
      await expect(page.getByTestId('fact-installments')).toHaveText('3x')
      await expect(page.getByTestId('go-on')).toHaveAttribute('href', /^https:\/\/shop\.example/)
      const kept = () => page.evaluate(() => JSON.stringify(window.sessionStorage))
      await expect.poll(kept).toBe('{}')

      await page.goto(url)
      await expect(page.getByRole('heading', { name: 'Este link já foi pago' })).toBeVisible()
      expect(problems).toEqual([])
      expect(placesWithCardData([...seen, ...placesOfProcess(cofre)])).toEqual([])
    })

    test('a PIX is copied, paid, and turns the page green by itself', async ({
      page,
      context,
      cofre,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const { url } = await makeLink(cofre, environment, { methods: ['pix'] })
      await page.goto(url)
      await fillPayer(page)
      await page.getByRole('button', { name: /^Gerar PIX de R\$\s100,00$/ }).click()
      await expectState(page, 'waiting')
      await expect
        .poll(() =>
          page.locator('.qr').evaluate((image) => (image as HTMLImageElement).naturalWidth),
        )
        .toBeGreaterThan(0)
      await page.getByRole('button', { name: 'Copiar' }).click()
      await expect(page.getByRole('button', { name: 'Copiado!' })).toBeVisible()
      const code = await page.getByTestId('pix-code').inputValue()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
      await expect(page.getByRole('timer')).toHaveText(/^\d\d:\d\d:\d\d$/)

      if (environment === 'sandbox') await reportStatus(page, cofre, 'COMPLETE')
      else {
        const bank = await context.newPage()
        const charge = `/charges?code=${encodeURIComponent(code)}`
        await bank.goto(`http://127.0.0.1:${cofre.ports.bank}${charge}`)
        await bank.getByRole('button', { name: /^Pagar R\$\s100,00$/ }).click()
        await page.bringToFront()
      }
      await expectState(page, 'paid')
      await expect(page.getByTestId('receipt')).toBeVisible()
    })
  })
}

test('installments whose price has risen are shown again before they are charged', async ({
  page,
  cofre,
}) => {
  const { url } = await makeLink(cofre, 'sandbox')
  await page.goto(url)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await page.getByLabel('Parcelas').selectOption('3')
  const prices = page.locator('[name=prices]')
  const charged = await prices.inputValue()
  // As a page opened before the installments had interest.
  await prices.evaluate((input: HTMLInputElement) => (input.value = '10000,10000,10000'))
  await pay(page)
  await expect(page.getByTestId('problems')).toContainText('O valor das parcelas mudou.')
  await expect(prices).toHaveValue(charged)
  await expect(page.getByLabel('Parcelas')).toHaveValue('3')
  await pay(page)
  await expectState(page, 'paid')
})

test('a boleto wants an address, and can be printed', async ({ page, cofre }) => {
  const { url } = await makeLink(cofre, 'sandbox')
  await page.goto(url)
  await choose(page, 'boleto')
  await fillPayer(page)
  await pay(page)
  await expect(page.getByTestId('problems')).toBeFocused()
  await expect(page.getByTestId('problems')).toContainText('Informe o CEP.')
  await page.getByTestId('problems').getByRole('link', { name: 'Informe o CEP.' }).click()
  await expect(page.getByLabel('CEP')).toBeFocused()
  await fillAddress(page)
  await pay(page)
  await expectState(page, 'waiting')
  await expect(page.getByTestId('digitable-line')).toHaveValue(/^03399\./)
  const opening = page.waitForEvent('popup')
  await page.getByRole('link', { name: /^Abrir o boleto/ }).click()
  const slip = await opening
  await expect(slip.getByText('Código de barras')).toBeVisible()
  await slip.setViewportSize({ width: 320, height: 640 })
  await expectAccessibleInBothColours(slip)
})

test('a PIX on paper shows its whole code, and no button', async ({ page, cofre }) => {
  const { url } = await makeLink(cofre, 'sandbox', { methods: ['pix'] })
  await page.setViewportSize({ width: 794, height: 1123 })
  await page.goto(url)
  await fillPayer(page)
  await pay(page)
  await expectState(page, 'waiting')
  await expect(page.getByRole('timer')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('timer')).toBeHidden()
  await expect(page.getByRole('button')).toHaveCount(0)
  const hiddenPx = await page
    .getByTestId('pix-code')
    .evaluate((code) => code.scrollHeight - code.clientHeight)
  expect(hiddenPx).toBe(0)
})

test('a wallet is paid on its own page, which leads back', async ({ page, cofre }) => {
  const { url } = await makeLink(cofre, 'sandbox', { methods: ['paypal'] })
  await page.goto(url)
  await fillPayer(page)
  await pay(page)
  await page.getByRole('link', { name: 'Continuar no PayPal' }).click()
  await page.getByRole('button', { name: /^Pagar/ }).click()
  await expectState(page, 'paid')
})

test('paying another way cancels the code that waits, and only one try is paid', async ({
  page,
  cofre,
}) => {
  const { url } = await makeLink(cofre, 'sandbox')
  await page.goto(url)
  await choose(page, 'pix')
  await fillPayer(page)
  await pay(page)
  await expectState(page, 'waiting')
  const pix = page.url()
  await page.getByRole('link', { name: 'Pagar de outra forma' }).click()
  await expect(page.getByTestId('open-try')).toContainText('o código dele é cancelado')
  await choose(page, 'paypal')
  await pay(page)
  await expectState(page, 'waiting')
  await page.goto(pix)
  await expectState(page, 'cancelled')
  await expect(page.getByTestId('pix')).toHaveCount(0)
})

test('a form that is sent twice opens one try, and Back starts another', async ({
  page,
  cofre,
}) => {
  const { url } = await makeLink(cofre, 'sandbox', { usage: 'many' })
  await page.goto(url)
  const form = await page.locator('[name=form]').inputValue()
  const body = new URLSearchParams({ ...PAYER, form, method: 'pix' })
  const sent = await Promise.all(
    [1, 2, 3].map(() => fetch(url, { method: 'POST', body, redirect: 'manual' })),
  )
  expect(new Set(sent.map(({ headers }) => headers.get('Location'))).size).toBe(1)
  await choose(page, 'pix')
  await fillPayer(page)
  await pay(page)
  await expectState(page, 'waiting')
  expect(page.url()).toContain(sent[0]?.headers.get('Location') ?? '-')
  await page.goBack()
  await expect(page.locator('[name=form]')).not.toHaveValue(form)
})

test('a sixth card in an hour is refused with the reason', async ({ page, cofre }) => {
  const { url } = await makeLink(cofre, 'sandbox', { usage: 'many' })
  for (let i = 0; i < 5; i++) {
    const body = new URLSearchParams({
      ...PAYER,
      'birth-date': '1990-01-31',
      phone: '11987654321',
      form: crypto.randomUUID(),
      method: 'credit-card',
      token: await depositCard(cofre.ports, APPROVED_CARD),
      installments: '1',
    })
    const { status } = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    expect(status).toBe(303)
  }
  await page.goto(url)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByTestId('problems')).toContainText('Muitas tentativas com cartão')
  await expect(page.frameLocator('#card-fields iframe').locator('#number')).toHaveValue(/4111/)
})

test('a revoked link and an unknown one explain themselves', async ({ page, cofre }) => {
  const { url, code } = await makeLink(cofre, 'sandbox')
  await merchantAt(cofre.ports.sandbox).revokePaymentLink(code)
  expect((await page.goto(url))?.status()).toBe(410)
  await expect(page.getByRole('heading', { name: 'Este link foi cancelado' })).toBeVisible()
  await expectAccessibleInBothColours(page)
  expect((await page.goto(`${url}x`))?.status()).toBe(404)
  await expectAccessibleInBothColours(page)
})

test('what is typed stays while the method changes, and a wrong name costs no card', async ({
  page,
  cofre,
}) => {
  const { url } = await makeLink(cofre, 'sandbox')
  await page.goto(url)
  await fillPayer(page, 'Maria')
  await fillCard(page, APPROVED_CARD)
  await choose(page, 'pix')
  await expect(page.getByLabel('Celular')).toBeHidden()
  await choose(page, 'credit-card')
  await pay(page)
  await expect(page.getByTestId('problems')).toContainText('Informe nome e sobrenome')
  await expect(page.getByLabel('Nome completo')).toHaveAttribute('aria-invalid', 'true')
  const number = page.frameLocator('#card-fields iframe').locator('#number')
  await expect(number).toHaveValue(/4111/)
  await page.getByLabel('Nome completo').fill(PAYER.name)
  await pay(page)
  await expectState(page, 'paid')
})

test('a keyboard alone pays by card', async ({ page, cofre }) => {
  const { url } = await makeLink(cofre, 'sandbox', { methods: ['credit-card'], installments: 1 })
  await page.goto(url)
  const frame = page.frameLocator('#card-fields iframe')
  await expectRunning(frame)
  /** The focus may reach the frame, which another process draws, after the key press is handled. */
  const typeAndTab = async (field: Locator, text: string) => {
    await expect(field).toBeFocused()
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.getByLabel('Nome completo').focus()
  await typeAndTab(page.getByLabel('Nome completo'), PAYER.name)
  await typeAndTab(page.getByLabel('E-mail'), PAYER.email)
  await typeAndTab(page.getByLabel('CPF ou CNPJ'), PAYER.document)
  // The order of the date's parts depends on the browser's language.
  await page.getByLabel('Data de nascimento').fill('1990-01-31')
  await page.getByLabel('Celular').focus()
  await typeAndTab(page.getByLabel('Celular'), '11987654321')
  await typeAndTab(frame.locator('#number'), APPROVED_CARD.number)
  await typeAndTab(frame.locator('#expiry'), '1235')
  await typeAndTab(frame.locator('#cvv'), APPROVED_CARD.cvv)
  await expect(page.getByTestId('pay')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectState(page, 'paid')
})

/** The smallest supported viewport, and a window of 1280 px at 200 %. */
const VIEWPORTS = [
  { width: 640, height: 360 },
  { width: 320, height: 640 },
]

test('every page can be read by all on 320 px, and fits it and 200 %', async ({ page, cofre }) => {
  const expectGood = async () => {
    for (const viewport of VIEWPORTS) {
      await page.setViewportSize(viewport)
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(tooWide, `${page.url()} on ${viewport.width} px`).toBeLessThanOrEqual(0)
    }
    await expectAccessibleInBothColours(page)
  }
  const { url } = await makeLink(cofre, 'sandbox')
  await page.goto(url)
  await expect(page.frameLocator('#card-fields iframe').locator('#number')).toBeVisible()
  await expectGood()
  await pay(page)
  await expect(page.getByTestId('problems')).toBeFocused()
  await expectGood()
  await fillPayer(page)
  for (const method of ['pix', 'boleto', 'paypal']) {
    await page.goto(url)
    await choose(page, method)
    if (method === 'boleto') await fillAddress(page)
    await fillPayer(page)
    await expectGood()
    await pay(page)
    await expectState(page, 'waiting')
    await expectGood()
  }
  await reportStatus(page, cofre, 'COMPLETE')
  await expectState(page, 'paid')
  await expectGood()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a shopper pays by PIX, and reads why no card can be typed', async ({ page, cofre }) => {
    const { url } = await makeLink(cofre, 'sandbox')
    await page.goto(url)
    // The test's library does not see text in `noscript`.
    const reason = page.locator('.for-card .problem')
    await expect(reason).toContainText('precisa de JavaScript')
    await expect(reason).toBeVisible()
    await expect(page.getByTestId('pay')).toBeHidden()
    await choose(page, 'pix')
    await expect(reason).toBeHidden()
    await pay(page)
    await expect(page.getByTestId('problems')).toBeFocused()
    await expect(page.getByTestId('problems')).toContainText('Informe seu CPF ou CNPJ.')
    await fillPayer(page)
    await pay(page)
    await expectState(page, 'waiting')
    await expect(page.getByTestId('pix-code')).toHaveValue(/^000201/)
    await reportStatus(page, cofre, 'COMPLETE')
    await page.getByRole('link', { name: 'Verificar agora' }).click()
    await expectState(page, 'paid')
  })
})

test('a card for which there is no room waits on the page, and pays', async ({ page, cofre }) => {
  const { url } = await makeLink(cofre, 'sandbox')
  let sent = 0
  await page.route(url, async (route) => {
    if (route.request().method() === 'POST') sent += 1
    if (sent === 1) await route.fulfill({ status: 429, headers: { 'Retry-After': '1' } })
    else await route.continue()
  })
  await page.goto(url)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByText('Seu pagamento está na fila')).toBeVisible()
  await expectState(page, 'paid')
  expect(sent).toBe(2)
})
