import { expect, test } from '@playwright/test'
import { STORE, freePorts, startCofre } from './cofre-process.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { type Person, confirm, expectGoodPage, invite, join, ownerLink, placeOf } from './staff.js'

const NEW_PASSWORD = 'outra senha longa 2'
const VISA = { number: '4111111111111111', cvv: '737' }

/** On the person's own page, which is reached by the name. */
async function changePassword({ page }: Person): Promise<void> {
  await page.getByRole('link', { name: 'Ana Dona' }).click()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Escolher outra senha' }).click()
  await expectGoodPage(page)
  await page.getByLabel('Nova senha').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Trocar a senha' }).click()
  await expect(page.getByText('Sua senha foi trocada.')).toBeVisible()
  await page.getByRole('button', { name: 'Configurar um autenticador' }).click()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Cancelar' }).click()
}

test('support cannot refund, finance can, and the owner sees both in the log', async ({
  browser,
}) => {
  const cofre = await startCofre(await freePorts())
  const { ports } = cofre
  const link = await ownerLink(cofre, 'ana@example.com')
  const token = await depositCard(ports, VISA)
  const { transaction } = await merchantAt(ports.api).createTransaction(
    cardPurchase('pedido-77', { token, installments: 1 }),
  )
  const { code } = transaction

  const owner = await join(browser, link, { name: 'Ana Dona' })
  expect(owner.page.url()).toContain(`/production/${STORE.id}/payments`)
  const support = await join(browser, await invite(owner, 'bia@example.com', 'Atendimento'), {
    name: 'Bia Atende',
  })
  const finance = await join(browser, await invite(owner, 'caio@example.com', 'Financeiro'), {
    name: 'Caio Contas',
  })

  const payment = `/payments/${code}`
  await support.page.goto(placeOf(support.page, payment))
  await expect(support.page.getByRole('link', { name: 'Devolver' })).toHaveCount(0)
  await expect(support.page.getByText('***.982.247-**').first()).toBeVisible()
  const csrf = await support.page.locator('[name=csrf]').first().inputValue()
  const refund = placeOf(support.page, `${payment}/refund`)
  const form = {
    csrf,
    amount: '50',
    remaining: '100',
    reason: 'duplicate',
    form: 'forged',
    note: '',
  }
  const origin = new URL(refund).origin
  const refused = await support.page.request.post(refund, { form, headers: { origin } })
  expect(refused.status()).toBe(403)
  expect((await support.page.request.get(refund)).status()).toBe(403)

  await finance.page.goto(placeOf(finance.page, payment))
  await finance.page.getByRole('link', { name: 'Devolver' }).click()
  await finance.page.getByLabel('Valor').fill('0,40')
  await finance.page.getByLabel('Motivo').selectOption('duplicate')
  await finance.page.getByRole('button', { name: 'Continuar' }).click()
  await expectGoodPage(finance.page)
  await finance.page.getByRole('button', { name: /R\$\s0,40/ }).click()
  await confirm(finance)
  await expect(finance.page.getByText('A devolução começou.')).toBeVisible()
  await expect(finance.page.getByText(/R\$\s0,40 pedida por Caio Contas/)).toBeVisible()

  await owner.page.goto(placeOf(owner.page, '/acts'))
  const rows = owner.page.getByRole('row').filter({ hasText: 'Devolução pedida' })
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'Bia Atende' })).toContainText('não foi feito')
  await expect(rows.filter({ hasText: 'Caio Contas' })).toContainText(/R\$\s0,40/)

  const pages = ['/payments', payment, `${payment}/refund`, `${payment}/block`, '/figures']
  for (const path of [...pages, '/notifications', '/people', '/acts', '/store']) {
    await owner.page.goto(placeOf(owner.page, path))
    await expectGoodPage(owner.page)
  }
  await changePassword(owner)
  await owner.page.getByRole('button', { name: 'Sair' }).click()
  await expectGoodPage(owner.page)
  await owner.page.getByRole('link', { name: 'Esqueceu a senha?' }).click()
  await expectGoodPage(owner.page)
  await owner.page.goBack()
  await owner.page.getByLabel('E-mail').fill('ana@example.com')
  await owner.page.getByLabel('Senha').fill(NEW_PASSWORD)
  await owner.page.getByLabel(/Código/).fill(owner.recoveryCodes.pop() ?? '')
  await owner.page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await owner.page.waitForURL(`**/production/${STORE.id}/payments`)
  await cofre.dispose()
})
