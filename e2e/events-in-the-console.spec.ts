// A store's events and their endpoints in the console.
import { expect } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { STORE } from './cofre-process.js'
import { startEventReceiver } from './event-receiver.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { confirmIfAsked, expectGoodPage, joinFirstOwner } from './staff.js'
import { test } from './story.js'

const CARD = { number: '4111111111111111', cvv: '123' }

test('an owner adds an endpoint, sees its events and sends one again', async ({
  browser,
  cofre,
}) => {
  const person = { name: 'Edu Eventos', email: 'edu@example.com' }
  const owner = await joinFirstOwner(browser, cofre, person)
  const { page } = owner
  const { ports } = cofre
  const receiver = await startEventReceiver()
  const pageOfEvents = `${new URL(page.url()).origin}/sandbox/${STORE.id}/events`

  await page.goto(pageOfEvents)
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Adicionar um endpoint' }).click()
  await expectGoodPage(page)
  await page.getByLabel('Endereço').fill('https://10.0.0.1/eventos')
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await confirmIfAsked(owner, page.getByRole('alert'))
  await expect(page.getByLabel('Endereço')).toHaveAttribute('aria-invalid', 'true')
  await expectGoodPage(page)
  await page.getByLabel('Endereço').fill(receiver.url)
  await page.getByRole('checkbox', { name: 'payment.completed' }).check()
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await expectGoodPage(page)
  const secret = (await page.locator('#secret').innerText()).trim()
  await page.getByRole('link', { name: 'Voltar aos eventos' }).click()
  await expect(page.locator('body')).not.toContainText('whsec_')

  receiver.state.status = 500
  const token = await depositCard(ports, CARD)
  const sale = cardPurchase(`events-${Date.now()}`, { token, installments: 1 })
  const { code } = (await merchantAt(ports.sandbox).createTransaction(sale)).transaction
  await expect.poll(() => receiver.received.length).toBe(1)
  const [first] = receiver.received
  const headers = first!.headers as Record<string, string>
  expect(new Webhook(secret).verify(first!.body, headers)).toMatchObject({
    type: 'payment.completed',
  })
  const endpoint = page.getByRole('article', { name: receiver.url })
  const event = page.getByRole('article', { name: new RegExp(`completed, evt_${code}_`) })
  await expect(async () => {
    await page.goto(pageOfEvents)
    await expect(endpoint).toContainText('falhando desde', { timeout: 1000 })
  }).toPass()
  await expect(event).toContainText('aguardando')
  await event.locator('summary').click()
  await expectGoodPage(page)

  receiver.state.status = 204
  await event.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect(page.getByText('O evento está sendo enviado de novo.')).toBeVisible()
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(receiver.received[1]?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  await expect(async () => {
    await page.goto(pageOfEvents)
    await expect(event).toContainText('entregue', { timeout: 1000 })
  }).toPass()
  await event.getByRole('link', { name: code }).click()
  await page.getByRole('link', { name: 'Eventos deste pagamento' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expectGoodPage(page)

  await page.goto(pageOfEvents)
  await endpoint.getByRole('link', { name: 'Alterar' }).click()
  await expectGoodPage(page)
  await page.getByLabel('Posso guardar o novo segredo agora.').check()
  await page.getByRole('button', { name: 'Criar um novo segredo' }).click()
  const next = page.locator('#secret')
  await confirmIfAsked(owner, next)
  expect((await next.innerText()).trim()).not.toBe(secret)
  await page.getByRole('link', { name: 'Voltar aos eventos' }).click()
  await endpoint.getByRole('link', { name: 'Alterar' }).click()
  await page.getByLabel('Excluir definitivamente.').check()
  await page.getByRole('button', { name: 'Excluir' }).click()
  const deleted = page.getByText('O endpoint foi excluído.')
  await confirmIfAsked(owner, deleted)
  await expect(deleted).toBeVisible()
  await expect(endpoint).toHaveCount(0)
  receiver.close()
  await page.context().close()
})
