// The vault's card fields in the demo shop's checkout.
import { type FrameLocator, type Page, expect } from '@playwright/test'
import { expectRunning } from './card-frame.js'
import { type Story, type TestCard, fillPayer, goToCheckout } from './story.js'

/** The vault's fields in the shop's page. */
export const fieldsIn = (page: Page): FrameLocator => page.frameLocator('#card-fields iframe')

/** The vault's field for the code of a saved card. */
export const codeIn = (page: Page): FrameLocator => page.frameLocator('#security-code iframe')

/** Switches the checkout to the vault's card fields. */
async function switchToFields(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Campos do cofre' }).click()
  await expect(page.getByRole('button', { name: 'Campos do cofre' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toBeVisible()
  // Before that, the fields report no errors of the card.
  await expectRunning(fieldsIn(page))
}

/**
 * Waits until a payment with empty fields has failed. The failure focuses the first field: earlier
 * keys may land in two fields.
 */
export async function expectCardAsked(page: Page): Promise<void> {
  await expect(page.locator('[data-error-code="creditcard_invalid_fields"]')).toBeVisible()
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toBeFocused()
}

export async function typeCard(page: Page, { number, cvv }: TestCard): Promise<void> {
  const fields = fieldsIn(page)
  await expectRunning(fields)
  await fields.getByLabel('Número do cartão').pressSequentially(number)
  await fields.getByLabel('Validade').pressSequentially('1230')
  await fields.getByLabel('CVV').pressSequentially(cvv)
}

/** Opens the checkout with the payer filled in. */
export async function openFields(page: Page, story: Pick<Story, 'shopUrl'>): Promise<void> {
  await goToCheckout(page, story)
  await fillPayer(page)
  await switchToFields(page)
}
