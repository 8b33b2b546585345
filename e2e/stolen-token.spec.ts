import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { createMerchantClient } from '@cofre/merchant'
import { expect } from '@playwright/test'
import { COFRE } from './cofre-process.js'
import { cardPurchase, merchantAt } from './shop-request.js'
import { APPROVED_CARD, fillCard, fillPayer, goToCheckout, pay, test } from './story.js'

test('a token stolen from the shop’s page pays at no other store', async ({ page, story }) => {
  const { ports, dataDir } = story.cofre
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await page.route('**/checkout', (route) => route.abort())
  const [stolen] = await Promise.all([page.waitForRequest(isPosted), pay(page)])
  const token = new URLSearchParams(stolen.postData() ?? '').get('token') ?? ''
  expect(token).toMatch(/^[\w-]+\.\./)

  const env = { ...process.env, COFRE_DATA_DIR: dataDir }
  const line = [COFRE, 'store', 'create', 'thief', '--sandbox', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, line, { env })
  const { secret } = JSON.parse(stdout) as { readonly secret: string }
  const baseUrl = `http://127.0.0.1:${ports.sandbox}`
  const thief = createMerchantClient({ baseUrl, storeId: 'thief', secret })
  const payment = { installments: 1, token }
  await expect(thief.createTransaction(cardPurchase('stolen', payment))).rejects.toMatchObject({
    status: 400,
  })

  const own = await merchantAt(ports.sandbox).createTransaction(cardPurchase('own', payment))
  expect(own.transaction.status).toBe('PAID')
})

function isPosted(request: { method(): string; url(): string }): boolean {
  return request.method() === 'POST' && request.url().endsWith('/checkout')
}
