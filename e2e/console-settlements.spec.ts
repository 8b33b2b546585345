import { type Page, expect, test } from '@playwright/test'
import { STORE, freePorts, startCofre } from './cofre-process.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { expectGoodPage, invite, join, ownerLink, placeOf } from './staff.js'

const VISA = { number: '4111111111111111', cvv: '737' }

const HEADS = 'date;kind;gross;fee;net;reference'
const TODAY = new Date(Date.now() - 3 * 60 * 60 * 1000).toISOString().slice(0, 10)

/** What the acquirer paid out: R$ 1,00 as asked, R$ 0,90 of another R$ 1,00, and a stranger's. */
const FILE = [
  HEADS,
  `${TODAY};venda;1,00;0,03;0,97;pedido-1`,
  `${TODAY};venda;0,90;0,03;0,87;pedido-2`,
  `${TODAY};venda;5,00;0,15;4,85;de-outra-loja`,
  `${TODAY};tarifa;0,00;9,90;-9,90;`,
].join('\r\n')

async function upload(
  page: Page,
  name: string,
  content: string,
  format = 'CSV próprio',
): Promise<void> {
  await page.goto(placeOf(page, '/settlements'))
  await page.getByLabel('Formato').selectOption({ label: format })
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) }
  await page.getByLabel('Arquivo', { exact: true }).setInputFiles(file)
  await page.getByRole('button', { name: 'Enviar e comparar' }).click()
}

test('finance compares what an acquirer paid out, and support sees none of it', async ({
  browser,
}) => {
  const cofre = await startCofre(await freePorts())
  const { ports } = cofre
  const link = await ownerLink(cofre, 'ana@example.com')
  for (const reference of ['pedido-1', 'pedido-2', 'pedido-3']) {
    const token = await depositCard(ports, VISA)
    const order = cardPurchase(reference, { token, installments: 1 })
    const { transaction } = await merchantAt(ports.api).createTransaction(order)
    expect(transaction.status).toBe('PAID')
  }
  const owner = await join(browser, link, { name: 'Ana Dona' })
  const support = await join(browser, await invite(owner, 'bia@example.com', 'Atendimento'), {
    name: 'Bia Atende',
  })
  const finance = await join(browser, await invite(owner, 'caio@example.com', 'Financeiro'), {
    name: 'Caio Contas',
  })

  const { page } = finance
  await page.getByRole('link', { name: 'Recebimentos' }).click()
  await expectGoodPage(page)
  await upload(page, 'repasse.csv', FILE)
  await expect(page.getByText('O arquivo foi recebido.')).toBeVisible()
  await expect(page.getByRole('row', { name: /confere/ })).toContainText('1')
  await expectGoodPage(page)

  await page.goto(placeOf(page, '/settlements'))
  const day = page.getByRole('row').filter({ hasText: '6,90' }).first()
  await expect(day).toContainText(/R\$\s10,11/)
  await expect(day).toContainText(/−R\$\s3,21/)
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Linhas e divergências' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'pedido-2' })).toContainText(
    /outro valor esperado R\$\s1,00/,
  )
  await expect(page.getByRole('row').filter({ hasText: 'de-outra-loja' })).toContainText(
    'desconhecida',
  )
  await expectGoodPage(page)
  const csv = await page.request.get(placeOf(page, '/settlements/lines.csv?result=all'))
  expect(await csv.text()).toContain(';pedido-2;diverge;outro valor;1,00;venda;;;')

  await upload(page, 'outro-nome.csv', FILE)
  await expect(page.getByText('Este mesmo arquivo já tinha sido enviado')).toBeVisible()
  await upload(page, 'cartao.csv', `${FILE}\r\n${TODAY};venda;1,00;0;1,00;${VISA.number}`)
  await expect(page.getByText(/Pode conter um número de cartão.*linha 6/)).toBeVisible()
  await expectGoodPage(page)
  await page.getByLabel('Quero retirar este arquivo').check()
  await page.getByRole('button', { name: 'Retirar o arquivo' }).click()
  await expect(page.getByText('estão sendo retirados')).toBeVisible()

  // The acquirer's own report has all three sales: two of them are in the first file.
  const report = await page.request.get(`http://127.0.0.1:${ports.adyen}/settlement.csv`)
  await upload(
    page,
    'settlement_detail_report_batch_1.csv',
    await report.text(),
    'Adyen: settlement details',
  )
  await expect(page.getByRole('row', { name: /confere/ })).toContainText('1')
  await page.getByRole('link', { name: 'diverge', exact: true }).click()
  const twice = page.getByRole('row').filter({ hasText: 'já consta de uma linha anterior' })
  await expect(twice).toHaveCount(2)

  const settlements = placeOf(support.page, '/settlements')
  await expect(support.page.getByRole('link', { name: 'Recebimentos' })).toHaveCount(0)
  expect((await support.page.request.get(settlements)).status()).toBe(403)
  const forged = await support.page.request.post(`${settlements}/files`, {
    multipart: {
      csrf: await support.page.locator('[name=csrf]').first().inputValue(),
      format: 'cofre',
      file: { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) },
    },
    headers: { origin: new URL(settlements).origin },
  })
  expect(forged.status()).toBe(403)

  await owner.page.goto(placeOf(owner.page, '/acts'))
  const rows = owner.page.getByRole('row').filter({ hasText: 'Extrato enviado' })
  await expect(rows).toHaveCount(5)
  await expect(rows.filter({ hasText: 'Bia Atende' })).toContainText('não foi feito')
  await expect(rows.filter({ hasText: 'Caio Contas' }).last()).toContainText('cofre')
  await expect(rows.filter({ hasText: 'Caio Contas' }).first()).toContainText('adyen')
  expect(placeOf(owner.page, '')).toContain(`/production/${STORE.id}`)
  await cofre.dispose()
})
