import { expect } from '@playwright/test'
import { goToCheckout, test } from './story.js'

declare const Cofre: {
  readonly PaymentMethod: new () => {
    getDirectToken(card: unknown, callback: unknown): boolean
  }
}

test('a developer who passes no callback finds out on the console', async ({ page, story }) => {
  await goToCheckout(page, story)
  await expect(page.getByTestId('pay')).toBeEnabled()
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  const answer = await page.evaluate(() => {
    const card = {
      creditCard: '4111111111111111',
      cvv: '737',
      expiration: { month: '12', year: '2030' },
    }
    return new Cofre.PaymentMethod().getDirectToken(card, 'not a function')
  })
  expect(answer).toBe(false)
  expect(messages).toContainEqual(expect.stringContaining('callback_must_be_a_function'))
})
