import { type Page, expect } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { notify, receiverUrl, signIn, test } from './panel-story.js'

const PAGES = [
  '/transactions',
  '/transactions?text=nothing-like-it',
  '/notifications',
  '/receiver',
  '/requests',
  '/requests?status=failed',
  '/checklist',
  '/test-data',
  '/clock',
  '/clock?amount=1&unit=day',
  '/settlement',
  '/credentials',
  '/reset',
  '/no-such-page',
]

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

test('every page is accessible, empty and full, and fits a small phone', async ({
  page,
  story,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(story.panelUrl)
  await expectAccessibleInBothColours(page)
  await signIn(page, story.panelUrl)
  const seen = async (path: string): Promise<void> => {
    await page.goto(`${story.panelUrl}${path}`)
    for (const summary of await page.locator('summary').all()) await summary.click()
    await expectAccessibleInBothColours(page)
    expect([path, await overflow(page)]).toEqual([path, 0])
  }
  for (const path of ['/transactions', '/notifications', '/receiver', '/requests']) await seen(path)

  const code = await story.createPix('pedido-1', await receiverUrl(page, story.panelUrl))
  await story.createPix('pedido-2', 'not a URL').catch(() => undefined)
  await page.goto(`${story.panelUrl}/transactions/${code}`)
  await notify(page, 'COMPLETE')
  await expect(page.getByText('respondeu 200').first()).toBeVisible()
  for (const path of [`/transactions/${code}`, ...PAGES]) await seen(path)
  await page.goto(`${story.panelUrl}/requests?status=failed`)
  await page.getByText('Recebida / Respondida').first().click()
  const address = await page.locator('a[href*="/requests/"]').first().getAttribute('href')
  await seen(address ?? 'no link')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Requisição')
})

test('an update keeps the focus and what is open, and waits while a form is filled in', async ({
  page,
  story,
}) => {
  await signIn(page, story.panelUrl)
  const url = await receiverUrl(page, story.panelUrl)
  const code = await story.createPix('pedido-1', url)
  await page.goto(`${story.panelUrl}/transactions/${code}`)
  const others = page.getByText('Por que não os outros?')
  await others.click()
  await expect(others).toBeFocused()
  const bank = await page.context().newPage()
  await bank.goto(`${story.panelUrl}/transactions/${code}`)
  await notify(bank, 'UNDER-REVIEW')
  await page.bringToFront()
  await expect(page.locator('.page-head').getByText('UNDER-REVIEW')).toBeVisible()
  await expect(others).toBeFocused()
  await expect(page.getByText('Só uma transação paga (COMPLETE)')).toBeVisible()

  await page.getByRole('radio', { name: 'CANCELLED' }).check()
  await bank.bringToFront()
  await notify(bank, 'COMPLETE')
  await page.bringToFront()
  await page.getByRole('link', { name: 'Há novidades. Atualizar a página' }).click()
  await expect(page.locator('.page-head').getByText('COMPLETE')).toBeVisible()
})

test('a page whose transaction is deleted meanwhile reports it, as one whose session has ended does', async ({
  page,
  story,
}) => {
  await signIn(page, story.panelUrl)
  const code = await story.createPix('pedido-1', await receiverUrl(page, story.panelUrl))
  await page.goto(`${story.panelUrl}/transactions/${code}`)
  const other = await page.context().newPage()
  await other.goto(`${story.panelUrl}/reset`)
  await other.getByRole('checkbox').check()
  await other.getByRole('button', { name: 'Apagar' }).click()
  await expect(other.getByText('Os dados de teste foram apagados.')).toBeVisible()
  await page.bringToFront()
  const news = page.getByRole('link', { name: 'Há novidades. Atualizar a página' })
  await expect(news).toBeVisible()
  await expect(page.getByText('Sua sessão terminou', { exact: false })).toBeHidden()
  await news.click()
  await expect(page.getByRole('heading', { name: 'Página não encontrada' })).toBeVisible()

  await page.goto(`${story.panelUrl}/receiver`)
  const isOver = page.getByRole('link', { name: 'Sua sessão terminou' })
  await expect(isOver).toBeHidden()
  await other.bringToFront()
  await other.getByRole('button', { name: 'Sair' }).click()
  await expect(other.getByText('Você saiu.')).toBeVisible()
  await page.bringToFront()
  await expect(isOver).toBeVisible()
})
