// The sandbox's own pages, at a product that these stories share: they configure it, advance its
// clock and delete data.
import { createServer } from 'node:http'
import { type Page, expect } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { LAPTOP, heightsOf } from './console-layout.js'
import { type CofreProcess, freePort, freePorts, startCofre } from './cofre-process.js'
import { type PanelStory, notify, panelStory, receiverUrl, signIn } from './panel-story.js'
import { choose, expectState, fillPayer, makeLink, pay } from './payment-link-story.js'
import { sandboxAt } from './shop-request.js'
import { test } from './story.js'

let cofre: CofreProcess
let panel: PanelStory
test.beforeAll(async () => {
  cofre = await startCofre(await freePorts(), { COFRE_NOTIFY_DELAY: '0' })
  panel = panelStory(cofre)
})
test.afterAll(() => cofre.dispose())

const PAGES = [
  '/transactions',
  '/transactions?text=nothing-like-it',
  '/notifications',
  '/events',
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

test('every page is accessible, empty and full, and fits a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(panel.panelUrl)
  await expectAccessibleInBothColours(page)
  await signIn(page, panel.panelUrl)
  const seen = async (path: string): Promise<void> => {
    await page.goto(`${panel.panelUrl}${path}`)
    for (const summary of await page.locator('summary').all()) await summary.click()
    await expectAccessibleInBothColours(page)
    expect([path, await overflow(page)]).toEqual([path, 0])
  }
  for (const path of ['/notifications', '/receiver', '/requests', '/transactions']) await seen(path)
  await expect(page.getByRole('heading', { name: 'Crie sua primeira transação' })).toBeVisible()

  const code = await panel.createPix('pedido-cheio', await receiverUrl(page, panel.panelUrl))
  await panel.createPix('pedido-2', 'not a URL').catch(() => undefined)
  await page.goto(`${panel.panelUrl}/transactions/${code}`)
  await notify(page, 'COMPLETE')
  await expect(page.getByText('respondeu 200').first()).toBeVisible()
  for (const path of [`/transactions/${code}`, ...PAGES]) await seen(path)
  await page.setViewportSize(LAPTOP)
  await page.goto(`${panel.panelUrl}/notifications`)
  expect((await heightsOf(page.getByRole('article')))[0]).toBeLessThanOrEqual(100)
  await page.setViewportSize({ width: 390, height: 844 })
  expect((await heightsOf(page.getByRole('article')))[0]).toBeLessThanOrEqual(140)
  await page.setViewportSize(LAPTOP)
  await page.goto(`${panel.panelUrl}/requests?status=failed`)
  await page.getByText('Recebida / Respondida').first().click()
  const address = await page.locator('a[href*="/requests/"]').first().getAttribute('href')
  await seen(address ?? 'no link')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Requisição')
})

test('a transaction shows up by itself, is paid by the bank, and its notification arrives at the receiver', async ({
  page,
}) => {
  await signIn(page, panel.panelUrl)
  const notificationUrl = await receiverUrl(page, panel.panelUrl)
  await page.goto(`${panel.panelUrl}/transactions`)
  const code = await panel.createPix('pedido-visto', notificationUrl)
  await page.getByRole('link', { name: 'pedido-visto' }).click()
  await expect(page.getByRole('img', { name: 'QR Code do PIX' })).toBeVisible()

  await notify(page, 'COMPLETE')
  await expect(page.getByText('O banco informou o status')).toBeVisible()
  const notification = page.getByRole('article', { name: 'notificação 1' })
  await expect(notification.getByText('respondeu 200').first()).toBeVisible()
  await expect(notification).toContainText('aguardando a loja consultar a transação')

  await page.getByRole('link', { name: 'Receptor' }).click()
  const sent = `transaction-code=${code}&notification-type=transaction`
  await expect(page.getByText(sent)).toBeVisible()
})

test('a receiver that answers an error is asked again after ten minutes of the test clock', async ({
  page,
}) => {
  await signIn(page, panel.panelUrl)
  const code = await panel.createPix('pedido-500', await receiverUrl(page, panel.panelUrl))
  await page.getByLabel('Status HTTP').selectOption('500')
  await page.getByRole('button', { name: 'Responder assim' }).click()
  await expect(page.getByText('A partir de agora, o receptor responde assim')).toBeVisible()
  await page.goto(`${panel.panelUrl}/transactions/${code}`)
  await notify(page, 'CANCELLED')
  await expect(page.getByText('1 tentativa', { exact: false })).toBeVisible()
  await expect(page.getByText('respondeu 500').first()).toBeVisible()

  await page.getByRole('link', { name: 'Relógio', exact: true }).click()
  await page.getByRole('button', { name: '+ 10 minutos' }).click()
  await page.getByRole('button', { name: 'Avançar o relógio' }).click()
  await expect(page.getByText('O relógio de todo o sandbox foi avançado.')).toBeVisible()
  await expect(page.getByText('O sandbox está 10 minutos adiantado')).toBeVisible()
  await page.goto(`${panel.panelUrl}/transactions/${code}`)
  await expect(page.getByText('2 tentativas')).toBeVisible()
})

test('a shop that is offline while it is notified gets the notification again by a button', async ({
  page,
}) => {
  const port = await freePort()
  await signIn(page, panel.panelUrl)
  const code = await panel.createPix('pedido-offline', `http://127.0.0.1:${port}/notifications`)
  await page.goto(`${panel.panelUrl}/transactions/${code}`)
  await notify(page, 'CANCELLED')
  const notification = page.getByRole('article', { name: 'notificação 1' })
  await expect(notification.getByText('sem resposta').first()).toBeVisible()
  await notification.getByText('1 tentativa').click()
  await expect(notification.getByText('Erro:')).toBeVisible()

  const shop = createServer((request, answer) => {
    request.resume().on('end', () => answer.end('obrigado'))
  }).listen(port, '127.0.0.1')
  try {
    await notification.getByRole('button', { name: 'Enviar de novo' }).click()
    await expect(page.getByText('A notificação será enviada de novo agora.')).toBeVisible()
    await expect(notification.getByText('2 tentativas')).toBeVisible()
    await expect(notification.locator('.state', { hasText: /^confirmada$/ })).toBeVisible()
    await notification.getByText('2 tentativas').click()
    await expect(notification.getByText('obrigado')).toBeVisible()
  } finally {
    shop.close()
  }
})

test('refunds by hand end with success or failure', async ({ page }) => {
  await signIn(page, panel.panelUrl)
  const notificationUrl = await receiverUrl(page, panel.panelUrl)
  await page.goto(`${panel.panelUrl}/settlement`)
  const refunds = page.getByRole('group', { name: 'Reembolso' })
  await refunds.getByRole('radio', { name: 'manualmente' }).check()
  await page.getByRole('button', { name: /^Salvar.*Reembolso/ }).click()
  await expect(page.getByText('A partir de agora, o banco do sandbox responde assim')).toBeVisible()

  for (const [button, status, reference] of [
    ['Falha', 'REJECTED', 'volta-1'],
    ['Sucesso', 'PROCESSED', 'volta-2'],
  ] as const) {
    const code = await panel.createPix(`pedido-${reference}`, notificationUrl)
    await page.goto(`${panel.panelUrl}/transactions/${code}`)
    await notify(page, 'COMPLETE')
    await expect(page.getByText('O banco informou o status')).toBeVisible()
    await panel.refund(code, reference, notificationUrl)
    const refund = page.getByRole('article', { name: 'reembolso de' })
    await refund.getByRole('button', { name: button }).click()
    await expect(refund.getByText(status, { exact: true })).toBeVisible()
  }
  await page.goto(`${panel.panelUrl}/checklist`)
  await expect(page.getByRole('heading', { name: /^Reembolso concluído.*feito/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Reembolso recusado.*feito/ })).toBeVisible()
})

test('an update keeps the focus and what is open, and waits while a form is filled in', async ({
  page,
}) => {
  await signIn(page, panel.panelUrl)
  const url = await receiverUrl(page, panel.panelUrl)
  const code = await panel.createPix('pedido-novidade', url)
  await page.goto(`${panel.panelUrl}/transactions/${code}`)
  const others = page.getByText('Por que não os outros?')
  await others.click()
  await expect(others).toBeFocused()
  const bank = await page.context().newPage()
  await bank.goto(`${panel.panelUrl}/transactions/${code}`)
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

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the bank can be simulated all the same', async ({ page }) => {
    await signIn(page, panel.panelUrl)
    const code = await panel.createPix('pedido-sem-script', await receiverUrl(page, panel.panelUrl))
    await page.goto(`${panel.panelUrl}/transactions/${code}`)
    await notify(page, 'COMPLETE')
    await expect(page.getByText('O banco informou o status')).toBeVisible()
    await expect(page.locator('.page-head').getByText('COMPLETE')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copiar' })).toHaveCount(0)
  })
})

test('an expired link shows it, and its PIX can still be paid', async ({ page }) => {
  const soon = new Date(Date.now() + 45 * 60_000)
  const { url } = await makeLink(cofre, 'sandbox', { 'expires-at': soon })
  await page.goto(url)
  await expect(page.getByText(/^Este link vale até/)).toBeVisible()
  await choose(page, 'pix')
  await fillPayer(page)
  await pay(page)
  await expectState(page, 'waiting')
  await sandboxAt(cofre.ports.sandbox).advanceClock(60 * 60)
  await page.reload()
  await expectState(page, 'waiting')
  await expect(page.getByRole('link', { name: 'Pagar de outra forma' })).toHaveCount(0)
  expect((await page.goto(url))?.status()).toBe(410)
  await expect(page.getByRole('heading', { name: 'Este link expirou' })).toBeVisible()
})

// The last story: it deletes the data of the others.
test('a page whose transaction is deleted meanwhile reports it, as one whose session has ended does', async ({
  page,
}) => {
  await signIn(page, panel.panelUrl)
  const code = await panel.createPix('pedido-apagado', await receiverUrl(page, panel.panelUrl))
  await page.goto(`${panel.panelUrl}/transactions/${code}`)
  const other = await page.context().newPage()
  await other.goto(`${panel.panelUrl}/reset`)
  await other.getByRole('checkbox').check()
  await other.getByRole('button', { name: 'Apagar' }).click()
  await expect(other.getByText('Os dados de teste foram apagados.')).toBeVisible()
  await page.bringToFront()
  const news = page.getByRole('link', { name: 'Há novidades. Atualizar a página' })
  await expect(news).toBeVisible()
  await expect(page.getByText('Sua sessão terminou', { exact: false })).toBeHidden()
  await news.click()
  await expect(page.getByRole('heading', { name: 'Página não encontrada' })).toBeVisible()

  await page.goto(`${panel.panelUrl}/receiver`)
  const sessionEnded = page.getByRole('link', { name: 'Sua sessão terminou' })
  await expect(sessionEnded).toBeHidden()
  await other.bringToFront()
  await other.getByRole('button', { name: 'Sair' }).click()
  await expect(other.getByText('Você saiu.')).toBeVisible()
  await page.bringToFront()
  await expect(sessionEnded).toBeVisible()
})
