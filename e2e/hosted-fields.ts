// The vault's card fields in the demo shop's checkout.
import { type FrameLocator, type Page, expect } from '@playwright/test'
import { expectRunning } from './card-frame.js'
import { type Story, type TestCard, fillPayer, goToCheckout } from './story.js'

/** The fields of the vault, in the shop's page. */
export const fieldsIn = (page: Page): FrameLocator => page.frameLocator('#card-fields iframe')

/** Has the vault's card fields shown at the checkout. */
async function switchToFields(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Campos do cofre' }).click()
  await expect(page.getByRole('button', { name: 'Campos do cofre' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toBeVisible()
  // Before, they do not say what is wrong with the card.
  await expectRunning(fieldsIn(page))
}

/**
 * Waits for the end of paying with empty fields. It puts the cursor into the first of them: what is
 * typed before may land in two.
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

/** Goes to the checkout, who pays filled in. */
export async function openFields(page: Page, story: Pick<Story, 'shopUrl'>): Promise<void> {
  await goToCheckout(page, story)
  await fillPayer(page)
  await switchToFields(page)
}
