// The store's settings in the console: owners change them, developers read them.
import { expect } from '@playwright/test'
import { confirmIfAsked, expectGoodPage, invite, join, joinFirstOwner, placeOf } from './staff.js'
import { test } from './story.js'

test('an owner changes the store, a developer reads it', async ({ browser, cofre }) => {
  const owner = await joinFirstOwner(browser, cofre, {
    name: 'Elisa Dona',
    email: 'elisa@example.com',
  })
  const link = await invite(owner, 'davi@example.com', 'Desenvolvimento')
  const developer = await join(browser, link, { name: 'Davi Código' })
  const { page } = owner

  await page.goto(placeOf(page, '/store'))
  await expectGoodPage(page)
  const accounts = page.getByRole('table', { name: 'Contas em bancos e adquirentes' })
  for (const name of ['Simulated bank', 'Simulated Inter', 'Simulated Adyen', 'Simulated Cielo'])
    await expect(accounts).toContainText(name)
  await page.getByRole('link', { name: 'Alterar as configurações' }).click()
  await expectGoodPage(page)
  const nameBefore = await page.getByLabel('Nome da loja').inputValue()
  await page.getByLabel('Nome da loja').fill('Café da Elisa')
  await page.getByLabel('Do mesmo pagador').fill('11')
  await page.getByLabel('Do mesmo BIN').fill('muitas')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await confirmIfAsked(owner, page.getByRole('alert'))
  await expect(page.getByRole('alert')).toContainText('Informe um número inteiro de 1 a 100.000.')
  await expect(page.getByRole('alert')).toContainText('É mais do que o limite atual, 10.')
  await expect(page.getByLabel('Do mesmo BIN')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Nome da loja')).toHaveValue('Café da Elisa')
  await expectGoodPage(page)
  await page.getByLabel('Do mesmo pagador').fill('9')
  await page.getByLabel('Do mesmo BIN').fill('')
  await page.getByLabel('Autorizados, não capturados').selectOption('capture')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('As configurações foram salvas.')).toBeVisible()
  await expect(page.getByText('Café da Elisa', { exact: true })).toBeVisible()
  await expect(page.getByText('capturados antes do fim do prazo')).toBeVisible()
  await expect(page.getByText(/^9 por pagador, 30 por endereço IP/)).toBeVisible()

  await page.getByRole('link', { name: 'Alterar as páginas' }).click()
  await expectGoodPage(page)
  await page.getByLabel('Endereço da página').fill('https://cafe.example/checkout')
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await expect(page.getByLabel('Endereço da página')).toHaveAttribute('aria-invalid', 'true')
  await expectGoodPage(page)
  await page.getByLabel('Endereço da página').fill('https://cafe.example/')
  await page.getByRole('button', { name: 'Adicionar' }).click()
  const added = page.getByRole('listitem').filter({ hasText: 'https://cafe.example' })
  await expect(added).toBeVisible()
  await added.getByText('Remover', { exact: true }).click()
  await expectGoodPage(page)
  await added.getByRole('checkbox').check()
  await added.getByRole('button', { name: 'Remover https://cafe.example' }).click()
  await expect(page.getByText('deixará de mostrar os campos de cartão em')).toBeVisible()
  await expect(added).toHaveCount(0)

  const read = developer.page
  const { origin } = new URL(read.url())
  await read.goto(placeOf(read, '/store'))
  await expect(read.getByText('Café da Elisa', { exact: true })).toBeVisible()
  await expect(read.getByRole('link', { name: /Alterar/ })).toHaveCount(0)
  const csrf = await read.locator('[name=csrf]').first().inputValue()
  for (const path of ['/store/settings', '/store/origins', '/store/origins/remove']) {
    const form = { csrf, name: 'Do Davi', origin: 'https://davi.example', confirm: 'yes' }
    const sent = await read.request.post(placeOf(read, path), { form, headers: { origin } })
    expect([path, sent.status()]).toEqual([path, 403])
  }

  await page.goto(placeOf(page, '/acts'))
  const acts = page.getByRole('row').filter({ hasText: 'Configurações da loja alteradas' })
  await expect(acts.filter({ hasText: '→ Café da Elisa' })).toContainText('Elisa Dona')
  await expect(acts.filter({ hasText: 'https://cafe.example' })).toHaveCount(2)
  await expect(acts.filter({ hasText: 'cancelados → capturados' })).toContainText('Elisa Dona')
  await expect(acts.filter({ hasText: 'Davi Código' })).toHaveCount(3)

  await page.goto(placeOf(page, '/store/settings'))
  await page.getByLabel('Nome da loja').fill(nameBefore)
  await page.getByLabel('Autorizados, não capturados').selectOption('void')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('As configurações foram salvas.')).toBeVisible()
  for (const person of [owner, developer]) await person.page.context().close()
})
