import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Page, expect, test } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { freePorts, startTrial } from './cofre-process.js'
import { openFields, typeCard } from './hosted-fields.js'
import { APPROVED_CARD, pay } from './story.js'

const PASSWORD = 'um café bem forte'
const BANNER = 'Demonstração: bancos simulados, sem dinheiro de verdade.'

/** The banner is on top in every layout, on a desktop and on a phone. */
async function expectBannerOnTop(page: Page, url: string): Promise<void> {
  await page.goto(url)
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size)
    const places = await page.locator('aside.cofre-trial').evaluate((banner) => {
      const next = banner.parentElement?.querySelector('main, header, #swagger, h1')
      const { top, left, right, bottom } = banner.getBoundingClientRect()
      const isWhole = banner.scrollHeight <= banner.clientHeight
      const { clientWidth } = document.documentElement
      return {
        ...{ top, left, isWhole, isWide: right === clientWidth },
        isClear: next !== null && next !== undefined && next.getBoundingClientRect().top >= bottom,
      }
    })
    expect(places, url).toEqual({ top: 0, left: 0, isWhole: true, isWide: true, isClear: true })
  }
}

test('a visitor of a trial gives its password once, and buys with the card fields', async ({
  page,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-trial-'))
  const file = path.join(folder, 'password')
  writeFileSync(file, PASSWORD, { mode: 0o600 })
  const ports = await freePorts()
  const cofre = await startTrial(ports, file)
  try {
    const shopUrl = `http://127.0.0.1:${ports.productionDemo}`
    await page.goto(shopUrl)
    await expectAccessibleInBothColours(page)
    await page.getByLabel('Senha').fill('um chá')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByRole('alert')).toHaveText('Senha incorreta. Tente de novo.')
    await page.getByLabel('Senha').fill(PASSWORD)
    await page.getByRole('button', { name: 'Entrar' }).click()
    const banner = page.getByRole('complementary', { name: 'Demonstração' })
    await expect(banner).toContainText(BANNER)
    await expectAccessibleInBothColours(page)
    for (const url of [
      shopUrl,
      ...[ports.panel, ports.api, ports.vault].map((port) => `http://127.0.0.1:${port}`),
      `http://127.0.0.1:${ports.sandbox}/docs`,
    ])
      await expectBannerOnTop(page, url)

    await openFields(page, { shopUrl })
    await typeCard(page, APPROVED_CARD)
    await pay(page)
    await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()

    for (const port of [ports.panel, ports.bank, ports.adyen, ports.cielo, ports.sandbox]) {
      await page.goto(`http://127.0.0.1:${port}`)
      await expect(banner).toContainText(BANNER)
    }
  } finally {
    await cofre.dispose()
    rmSync(folder, { recursive: true })
  }
})
