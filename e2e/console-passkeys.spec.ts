import { type Page, expect, test } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { STORE, freePorts, startCofre } from './cofre-process.js'
import { ownerLink } from './staff.js'

/** A device with a lock, whose holder is there and lets it sign. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('an owner comes in, signs in and confirms by passkey alone', async ({ browser }) => {
  const cofre = await startCofre(await freePorts())
  const link = await ownerLink(cofre, 'ana@example.com')
  const context = await browser.newContext({ locale: 'pt-BR' })
  const page = await context.newPage()
  await addAuthenticator(page)

  await page.goto(link)
  const withPasskey = page.locator('form[data-passkey]')
  await withPasskey.getByLabel('Nome').fill('Ana Dona')
  await expectAccessibleInBothColours(page)
  await withPasskey.getByRole('button', { name: 'Continuar com chave de acesso' }).click()
  await expect(page.locator('#recovery-codes')).toBeVisible()
  await page.getByRole('link', { name: 'Já guardei, continuar' }).click()
  await page.waitForURL(`**/production/${STORE.id}/payments`)

  await page.getByRole('button', { name: 'Sair' }).click()
  await expectAccessibleInBothColours(page)
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click()
  await page.waitForURL(`**/production/${STORE.id}/payments`)

  await page.getByRole('link', { name: 'Ana Dona' }).click()
  await expectAccessibleInBothColours(page)
  await page.getByRole('button', { name: 'Remover Chave de acesso' }).click()
  await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible()
  await expectAccessibleInBothColours(page)
  await page.getByRole('button', { name: 'Confirmar com chave de acesso' }).click()
  await expect(page.getByText('você ficaria sem como entrar')).toBeVisible()
  await context.close()
  await cofre.dispose()
})
