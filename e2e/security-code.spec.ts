import { randomUUID } from 'node:crypto'
import { MerchantApiError } from '@cofre/merchant'
import { type Page, expect } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { placesWithCardData } from './card-data-search.js'
import { expectRunning } from './card-frame.js'
import type { CofreProcess } from './cofre-process.js'
import { fieldEvents, openFields, strictPolicy, test, tokenOf } from './fields-story.js'
import { cardPurchase, merchantAt } from './shop-request.js'

/** The only saved card of the sandbox. */
const SAVED_CARD = 'SANDBOXSAVEDCARD0000000000000001'
const CODE_ALONE = { element: 'security-code' } as const

/** Pays with the saved card; resolves to the status, or the code of the first error. */
async function pay(cofre: CofreProcess, token = ''): Promise<string | number> {
  const info = { installments: 1, code: SAVED_CARD, 'security-code-token': token }
  try {
    const { transaction } = await merchantAt(cofre.ports.sandbox).createTransaction(
      cardPurchase(randomUUID(), info),
    )
    return transaction.status
  } catch (error) {
    if (error instanceof MerchantApiError) return error.errors[0]?.code ?? 0
    throw error
  }
}

async function tokenOfCode(page: Page, digits: string): Promise<string> {
  const code = page.frameLocator('#fields iframe').locator('#cvv')
  await code.fill('')
  await code.pressSequentially(digits)
  const [err, token = ''] = await tokenOf(page)
  expect(err).toBeNull()
  return token
}

test('a shopper with a saved card types its code, under a strict policy and isolated', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const headers = strictPolicy(vaultUrl)
  const frame = await openFields(page, { shop, vaultUrl, headers, options: CODE_ALONE })
  await expectRunning(frame)
  await expect(frame.getByRole('textbox')).toHaveCount(1)

  const token = await tokenOfCode(page, '737')
  expect(await pay(cofre, token)).toBe('PAID')
  // A token is for one charge, and a code is for a saved card alone.
  expect(await pay(cofre, token)).toBe(90402)
  const ofCode = await tokenOfCode(page, '737')
  const asCard = merchantAt(cofre.ports.sandbox).createTransaction(
    cardPurchase(randomUUID(), { installments: 1, token: ofCode }),
  )
  await expect(asCard).rejects.toMatchObject({ code: 210216 })
  expect(await pay(cofre, ofCode)).toBe('PAID')
  // The sandbox finds this code wrong, and four digits are those of another brand.
  expect(await pay(cofre, await tokenOfCode(page, '999'))).toBe('REJECTED')
  expect(await pay(cofre, await tokenOfCode(page, '7373'))).toBe(90402)

  const { all, last } = await fieldEvents(page)
  expect(last.change).toEqual({
    number: 'empty',
    expiry: 'empty',
    cvv: 'valid',
    complete: true,
    brand: null,
    bin: null,
  })
  expect(await page.evaluate(() => window.fields.card)).toBeUndefined()
  expect(all.filter(([name]) => name === 'violation' || name === 'window')).toEqual([])
  expect(placesWithCardData([['heard', JSON.stringify(all)]])).toEqual([])
})

for (const [language, title, name, form] of [
  ['pt-BR', 'Código de segurança', 'Código (CVV)', 'Código de segurança do cartão salvo'],
  ['en', 'Security code', 'Code (CVV)', 'Security code of the saved card'],
  ['es', 'Código de seguridad', 'Código (CVV)', 'Código de seguridad de la tarjeta guardada'],
] as const) {
  test(`the code’s frame and field have names in ${language}, and show their error`, async ({
    page,
    registered: shop,
    vaultUrl,
  }) => {
    const options = { ...CODE_ALONE, language }
    const frame = await openFields(page, { shop, vaultUrl, options })
    await expectRunning(frame)
    await expect(page.locator('#fields iframe')).toHaveAttribute('title', title)
    await expect(frame.getByRole('form', { name: form })).toBeVisible()
    const code = frame.getByRole('textbox', { name })
    await expect(code).toHaveAttribute('autocomplete', 'cc-csc')

    expect(await tokenOf(page)).toEqual(['creditcard_invalid_fields'])
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('aria-invalid', 'true')
    await expect(frame.locator('#cvv-error')).not.toBeEmpty()
    await expectAccessibleInBothColours(page)
    await code.pressSequentially('12')
    expect(await tokenOf(page)).toEqual(['creditcard_invalid_fields'])
    await code.press('3')
    await expect(frame.locator('#cvv-error')).toBeEmpty()
    await code.press('Enter')
    await expect
      .poll(async () => (await fieldEvents(page)).all.some(([event]) => event === 'submit'))
      .toBe(true)
  })
}
