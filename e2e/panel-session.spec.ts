import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { COFRE, type CofreProcess, STORE, freePorts, startCofre } from './cofre-process.js'
import { fillCredentials, panelUrlOf, signIn } from './panel-story.js'

let cofre: CofreProcess
test.beforeEach(async () => {
  // The secret is drawn, not fixed, so that the panel may change it.
  cofre = await startCofre(await freePorts(), { COFRE_DEV_STORE_SECRET: '' })
})
test.afterEach(async () => {
  await cofre.dispose()
})

function secretOf({ dataDir }: CofreProcess): string {
  const { secret } = JSON.parse(readFileSync(path.join(dataDir, 'test-store.json'), 'utf8')) as {
    readonly secret: string
  }
  return secret
}

/** Runs `cofre store` beside the running product, as an operator does. */
async function store(...args: readonly string[]): Promise<void> {
  const env = { ...process.env, COFRE_DATA_DIR: cofre.dataDir }
  await promisify(execFile)(process.execPath, [COFRE, 'store', ...args, '--sandbox'], { env })
}

test('wrong credentials say so, five times lock, and the right ones lead where one wanted', async ({
  page,
}) => {
  await page.goto(`${panelUrlOf(cofre)}/clock`)
  await fillCredentials(page, 'a wrong secret')
  await expect(page.getByRole('alert')).toHaveText(/não confere/)
  await fillCredentials(page, secretOf(cofre))
  await expect(page.getByRole('heading', { name: 'Relógio de teste' })).toBeVisible()

  await page.getByRole('button', { name: 'Sair' }).click()
  await expect(page.getByText('Você saiu.')).toBeVisible()
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await fillCredentials(page, 'a wrong secret')
    await expect(page.getByRole('alert')).toHaveText(attempt < 5 ? /não confere/ : /em 15 minutos/)
  }
})

test('a session lives on after a restart, and an expired one leads back to its page', async ({
  page,
}) => {
  await signIn(page, panelUrlOf(cofre), secretOf(cofre))
  await page.goto(`${panelUrlOf(cofre)}/settlement`)
  await cofre.stop()
  const environ = { COFRE_DATA_DIR: cofre.dataDir, COFRE_DEV_STORE_SECRET: '' }
  cofre = await startCofre(cofre.ports, environ)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Liquidação' })).toBeVisible()

  await cofre.stop()
  const file = path.join(cofre.dataDir, 'panel-sessions.json')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/"expiresAtMs":\d+/g, '"expiresAtMs":1'))
  cofre = await startCofre(cofre.ports, environ)
  await page.getByRole('button', { name: /^Guardar.*PIX/ }).click()
  await expect(page.getByRole('alert')).toHaveText(/Sua sessão terminou/)
  await fillCredentials(page, secretOf(cofre))
  await expect(page.getByRole('heading', { name: 'Liquidação' })).toBeVisible()
})

test('a new secret is shown once, signs in, and signs others out', async ({ page, browser }) => {
  const old = secretOf(cofre)
  await signIn(page, panelUrlOf(cofre), old)
  const elsewhere = await (await browser.newContext({ locale: 'pt-BR' })).newPage()
  await signIn(elsewhere, panelUrlOf(cofre), old)

  await page.goto(`${panelUrlOf(cofre)}/credentials`)
  await page.getByRole('checkbox', { name: /Entendo/ }).check()
  await page.getByLabel('Chave secreta atual').fill(old)
  await page.getByRole('button', { name: 'Criar uma nova chave secreta' }).click()
  const secret = await page.locator('#secret').innerText()
  expect(secret).not.toBe(old)
  await expect(page.getByText('A chave anterior ainda assina até')).toBeVisible()
  await expect(elsewhere.getByRole('link', { name: 'Sua sessão terminou' })).toBeVisible()

  await page.reload()
  await expect(page.locator('#secret')).toHaveCount(0)
  await signIn(elsewhere, panelUrlOf(cofre), secret)
  await elsewhere.context().close()
})

for (const [how, args] of [
  ['replaces its secret at once', ['rotate', STORE.id, '--at-once']],
  ['disables the store', ['disable', STORE.id]],
] as const) {
  test(`a session ends with its open pages when an operator ${how}`, async ({ page }) => {
    await signIn(page, panelUrlOf(cofre), secretOf(cofre))
    await page.goto(`${panelUrlOf(cofre)}/receiver`)
    await store(...args)
    await expect(page.getByRole('link', { name: 'Sua sessão terminou' })).toBeVisible()
    await page.goto(`${panelUrlOf(cofre)}/credentials`)
    await expect(page.getByRole('alert')).toHaveText(/Sua sessão terminou/)
    if (args[0] === 'disable') await store('enable', STORE.id)
    await page.goto(`${panelUrlOf(cofre)}/credentials`)
    await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  })
}
