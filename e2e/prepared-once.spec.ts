import { expect, test } from '@playwright/test'
import { freePorts, startCofre } from './cofre-process.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'

const CARD = { number: '4111111111111111', cvv: '737' }
const PAYMENTS = 6
/** Fewer would mean that the workers did not run. */
const STATEMENTS_MIN = 60

test('SQLite prepares no statement of payments and workers again at each run', async () => {
  const module = new URL('prepared-anew.mjs', import.meta.url).href
  const ports = await freePorts()
  const cofre = await startCofre(ports, { NODE_OPTIONS: `--import ${module}` })
  const shop = merchantAt(ports.api)
  const pay = async (reference: string) => {
    const token = await depositCard(ports, CARD)
    const created = await shop.createTransaction(
      cardPurchase(reference, { token, installments: 1 }),
    )
    return created.transaction.code
  }
  for (let i = 0; i < PAYMENTS; i++) {
    const code = await pay(`prepared-${i}`)
    await expect.poll(async () => (await shop.findTransaction(code)).status).toBe('COMPLETE')
  }
  const found = async () => (await shop.listPayments({ limit: 1 })).payments.length
  for (let i = 0; i < PAYMENTS; i++) await expect.poll(found).toBe(1)
  expect(await cofre.stop()).toBe(0)
  const output = cofre.output()
  const count = /statements run often: (\d+)/.exec(output)?.[1]
  expect(Number(count)).toBeGreaterThan(STATEMENTS_MIN)
  expect(/prepared anew: (.*)/.exec(output)?.[1]).toBe('[]')
  await cofre.dispose()
})
