import { createServer } from 'node:http'
import { expect } from '@playwright/test'
import { freePort } from './cofre-process.js'
import { notify, receiverUrl, signIn, test } from './panel-story.js'

test('a transaction shows up by itself, is paid by the bank, and its notification arrives at the receiver', async ({
  page,
  story,
}) => {
  await signIn(page, story.panelUrl)
  const notificationUrl = await receiverUrl(page, story.panelUrl)
  await page.goto(`${story.panelUrl}/transactions`)
  await expect(page.getByRole('heading', { name: 'Crie a primeira transação' })).toBeVisible()
  await story.createPix('pedido-1', notificationUrl)
  await page.getByRole('link', { name: 'pedido-1' }).click()
  await expect(page.getByRole('img', { name: 'Código QR do PIX' })).toBeVisible()

  await notify(page, 'COMPLETE')
  await expect(page.getByText('O banco informou o status')).toBeVisible()
  const notification = page.getByRole('article', { name: 'notificação 1' })
  await expect(notification.getByText('respondeu 200').first()).toBeVisible()
  await expect(notification).toContainText('falta a loja consultar a transação')

  await page.getByRole('link', { name: 'Receptor' }).click()
  await expect(page.getByText('notification-type=transaction')).toBeVisible()
})

test('a receiver that answers an error is asked again after ten minutes of the test clock', async ({
  page,
  story,
}) => {
  await signIn(page, story.panelUrl)
  const code = await story.createPix('pedido-1', await receiverUrl(page, story.panelUrl))
  await page.getByLabel('Status HTTP').selectOption('500')
  await page.getByRole('button', { name: 'Responder assim' }).click()
  await expect(page.getByText('O receptor responde assim')).toBeVisible()
  await page.goto(`${story.panelUrl}/transactions/${code}`)
  await notify(page, 'CANCELLED')
  await expect(page.getByText('1 tentativa', { exact: false })).toBeVisible()
  await expect(page.getByText('respondeu 500').first()).toBeVisible()

  await page.getByRole('link', { name: 'Relógio' }).click()
  await page.getByRole('button', { name: '+ 10 minutos' }).click()
  await page.getByRole('button', { name: 'Deixar o tempo passar' }).click()
  await expect(page.getByText('O tempo passou para todo o sandbox.')).toBeVisible()
  await expect(page.getByText('O sandbox está 10 minutos adiante')).toBeVisible()
  await page.goto(`${story.panelUrl}/transactions/${code}`)
  await expect(page.getByText('2 tentativas')).toBeVisible()
})

test('a shop that is offline while it is notified gets the notification again by a button', async ({
  page,
  story,
}) => {
  const port = await freePort()
  await signIn(page, story.panelUrl)
  const code = await story.createPix('pedido-1', `http://127.0.0.1:${port}/notifications`)
  await page.goto(`${story.panelUrl}/transactions/${code}`)
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

test('refunds by hand end with success or failure', async ({ page, story }) => {
  await signIn(page, story.panelUrl)
  const notificationUrl = await receiverUrl(page, story.panelUrl)
  await page.goto(`${story.panelUrl}/settlement`)
  const refunds = page.getByRole('group', { name: 'Reembolso' })
  await refunds.getByRole('radio', { name: 'à mão' }).check()
  await page.getByRole('button', { name: /^Guardar.*Reembolso/ }).click()
  await expect(page.getByText('Os pagamentos são liquidados assim')).toBeVisible()

  for (const [button, status, reference] of [
    ['Falha', 'REJECTED', 'volta-1'],
    ['Sucesso', 'PROCESSED', 'volta-2'],
  ] as const) {
    const code = await story.createPix(`pedido-${reference}`, notificationUrl)
    await page.goto(`${story.panelUrl}/transactions/${code}`)
    await notify(page, 'COMPLETE')
    await expect(page.getByText('O banco informou o status')).toBeVisible()
    await story.refund(code, reference, notificationUrl)
    const refund = page.getByRole('article', { name: 'reembolso de' })
    await refund.getByRole('button', { name: button }).click()
    await expect(refund.getByText(status, { exact: true })).toBeVisible()
  }
  await page.goto(`${story.panelUrl}/checklist`)
  await expect(page.getByRole('heading', { name: /^Reembolso concluído.*feito/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Reembolso recusado.*feito/ })).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the bank can be simulated all the same', async ({ page, story }) => {
    await signIn(page, story.panelUrl)
    const code = await story.createPix('pedido-1', await receiverUrl(page, story.panelUrl))
    await page.goto(`${story.panelUrl}/transactions/${code}`)
    await notify(page, 'COMPLETE')
    await expect(page.getByText('O banco informou o status')).toBeVisible()
    await expect(page.locator('.page-head').getByText('COMPLETE')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copiar' })).toHaveCount(0)
  })
})
