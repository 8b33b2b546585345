import { type Request, expect } from '@playwright/test'
import { STORE } from './cofre-process.js'
import { railOrder } from './orders.js'
import { test } from './story.js'

const REFERENCE = 'tried-in-the-reference'
const ORDER = railOrder('pix', {
  reference: REFERENCE,
  notificationUrl: 'http://127.0.0.1:9/notifications',
})

test('a developer pays in the reference, which signs in the page and asks nobody else', async ({
  page,
  product: {
    proxy: { url: origin },
  },
}) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const isOwn = (request: Request) =>
    request.url().startsWith('data:') || new URL(request.url()).origin === origin
  const requests: Request[] = []
  page.on('request', (request) => {
    requests.push(request)
  })

  await page.goto(`${origin}/docs`)
  await page.getByLabel('Id da loja').fill(STORE.id)
  await page.getByLabel('Chave secreta').fill(STORE.secret)

  const creation = page.locator('[id$="-createTransaction"]')
  await creation.locator('.opblock-summary-control').click()
  await creation.locator('textarea').first().fill(JSON.stringify(ORDER))
  await creation.getByRole('button', { name: 'Execute' }).click()
  const answer = creation.locator('.live-responses-table tbody')
  await expect(answer.locator('.response-col_status')).toContainText('201')
  await expect(answer).toContainText(REFERENCE)

  const found = page.locator('[id$="-searchTransactions"]')
  await found.locator('.opblock-summary-control').click()
  await found.locator('[data-param-name=reference] input').fill(REFERENCE)
  await found.getByRole('button', { name: 'Execute' }).click()
  await expect(found.locator('.live-responses-table tbody .response-col_status')).toContainText(
    '200',
  )

  expect(complaints).toEqual([])
  expect(requests.filter((request) => !isOwn(request))).toEqual([])
  for (const request of requests)
    expect(
      JSON.stringify([request.url(), await request.allHeaders(), request.postData()]),
    ).not.toContain(STORE.secret)
})

test('every origin says at / what it is', async ({ cofre }) => {
  const { api, sandbox, vault, notices, metrics, panel, demo, productionDemo } = cofre.ports
  for (const port of [api, sandbox, vault, notices, metrics, panel, demo, productionDemo]) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { Accept: 'text/html' } })
    expect([port, answer.status]).toEqual([port, 200])
    expect(await answer.text()).toMatch(/<h1[^>]*>\s*\S/)
  }
})
