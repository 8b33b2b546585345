import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import type { CofreProcess } from './cofre-process.js'
import {
  type LinkEnvironment,
  expectState,
  fillCard,
  fillPayer,
  makeLink,
  pay,
} from './payment-link-story.js'
import { test } from './story.js'

const CARDS = {
  production: { number: '4212345678910006', cvv: '737' },
  sandbox: { number: '4000000000000085', cvv: '737' },
}

/** Pays a link; the browser ends at the issuer's page. */
async function goToBank(page: Page, cofre: CofreProcess, environment: LinkEnvironment) {
  const { url } = await makeLink(cofre, environment)
  await page.goto(url)
  await fillPayer(page)
  await fillCard(page, CARDS[environment])
  await pay(page)
  await expectState(page, 'authenticating')
  if (environment === 'sandbox') await expectAccessible(page)
  await page.getByRole('link', { name: 'Continuar no banco' }).click()
  await page.getByRole('link', { name: 'Ir ao banco' }).click()
  return url
}

for (const { answer, state } of [
  { answer: 'Sim, sou eu', state: 'paid' },
  { answer: 'Não', state: 'declined' },
])
  test(`a payer of a link who answers “${answer}” at Adyen comes back, ${state}`, async ({
    page,
    cofre,
  }) => {
    await goToBank(page, cofre, 'production')
    await page.getByRole('button', { name: answer }).click()
    await page.waitForURL(/\/pay\/[\w-]{22}\/[\w-]{22}$/)
    await expectState(page, state)
  })

test('a payer of a link who fails at the sandbox’s bank pays by another method', async ({
  page,
  cofre,
}) => {
  const url = await goToBank(page, cofre, 'sandbox')
  const away = await page.context().newPage()
  await away.goto(url)
  await away.getByTestId('open-try').getByRole('link').click()
  await expectState(away, 'authenticating')
  await page.getByRole('link', { name: 'Falhar' }).click()
  await expectState(page, 'declined')
  await page.getByRole('link', { name: 'Tentar de novo' }).click()
  await page.locator('[name=method][value="pix"]').check()
  await fillPayer(page)
  await pay(page)
  await expectState(page, 'waiting')
})
