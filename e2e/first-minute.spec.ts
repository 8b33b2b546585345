import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { type Page, expect, test } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { LAPTOP, expectChartsFit, expectListFits } from './console-layout.js'
import { COFRE, STORE, freePorts, startAsNewcomer } from './cofre-process.js'

const LINK = /http:\/\/localhost:\d+\/link\/\S+/

/** Opens a link and presses its button, as a person does. */
async function goOnBy(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: 'Continuar como proprietário' }).click()
  await page.waitForURL(`**/sandbox/${STORE.id}/payments`)
}

test('a newcomer signs in by the printed link, sees a month of examples, and refunds one', async ({
  browser,
}) => {
  const cofre = await startAsNewcomer(await freePorts())
  try {
    const banner = cofre.output().split('\n')
    expect(banner.length).toBeLessThanOrEqual(26)
    const printed = LINK.exec(cofre.output())?.[0] ?? ''
    const page = await (await browser.newContext({ locale: 'pt-BR' })).newPage()
    await goOnBy(page, printed)
    await expect(async () => {
      await page.reload()
      expect(await page.locator('tbody tr').filter({ hasText: /Paga/ }).count()).toBeGreaterThan(0)
    }).toPass()
    await expect(page.getByText('exemplo', { exact: true }).first()).toBeVisible()
    await expectAccessibleInBothColours(page)
    await expectListFits(page)
    await page.getByRole('link', { name: 'Relatórios' }).click()
    // One day of examples draws no chart.
    await expect(async () => {
      await page.reload()
      expect(await page.locator('.chart .plot').count()).toBeGreaterThan(0)
    }).toPass()
    await expectChartsFit(page)
    await expectAccessibleInBothColours(page)
    await page.setViewportSize(LAPTOP)
    await page.getByRole('link', { name: 'Transações' }).click()

    await page.locator('tbody tr').filter({ hasText: /Paga/ }).first().getByRole('link').click()
    await page.getByRole('link', { name: 'Reembolsar' }).click()
    await page.getByLabel('Motivo').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.getByRole('button', { name: /Reembolsar R\$/ }).click()
    // The session alone can't move money: another link confirms.
    await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible()
    await expectAccessibleInBothColours(page)
    const env = { ...process.env, COFRE_DATA_DIR: cofre.dataDir, COFRE_DEV_STORE_ID: STORE.id }
    const opened = await promisify(execFile)(process.execPath, [COFRE, 'open', '--print'], { env })
    const confirmation = await page.context().newPage()
    await goOnBy(confirmation, LINK.exec(opened.stdout)?.[0] ?? '')
    await expect(confirmation.getByText('por cinco minutos')).toBeVisible()
    await page.getByRole('button', { name: 'Já confirmei, continuar' }).click()
    await expect(page.getByText('O reembolso começou')).toBeVisible()

    for (const url of [printed, LINK.exec(opened.stdout)?.[0] ?? '']) {
      await confirmation.goto(url)
      await expect(confirmation.getByText('não funciona mais')).toBeVisible()
    }
    expect(
      JSON.stringify(cofre.files().map(({ bytes }) => bytes.toString('latin1'))),
    ).not.toContain(printed.slice(printed.lastIndexOf('/') + 1))
  } finally {
    await cofre.dispose()
  }
})
