// The console's people and their rights, at one product that these stories share: an owner, finance
// and support.
import { type Page, expect } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { type Ports, STORE } from './cofre-process.js'
import { expectState, fillCard, fillPayer } from './payment-link-story.js'
import { type ShopperCard, cardPurchase, depositCard, merchantAt } from './shop-request.js'
import {
  type Person,
  command,
  confirm,
  confirmIfAsked,
  expectForbidden,
  expectGoodPage,
  invite,
  join,
  joinFirstOwner,
  linkOf,
  placeOf,
} from './staff.js'
import { test } from './story.js'

const VISA = { number: '4111111111111111', cvv: '737' }
/** The test store sends Elo to Cielo, which answers a capture at once. */
const ELO = { number: '5066991111111050', cvv: '737' }

let owner: Person
let finance: Person
let support: Person
test.beforeAll(async ({ browser, cofre }) => {
  owner = await joinFirstOwner(browser, cofre, { name: 'Ana Dona', email: 'ana@example.com' })
  const supportLink = await invite(owner, 'bia@example.com', 'Atendimento')
  const financeLink = await invite(owner, 'caio@example.com', 'Financeiro')
  support = await join(browser, supportLink, { name: 'Bia Atende' })
  finance = await join(browser, financeLink, { name: 'Caio Contas' })
})
test.afterAll(async () => {
  for (const { page } of [owner, finance, support]) await page.context().close()
})

interface Bought {
  readonly card: ShopperCard
  readonly reference: string
  /** `false` only authorizes the card. */
  readonly capture?: boolean
}

async function buy(ports: Ports, { card, reference, capture = true }: Bought) {
  const token = await depositCard(ports, card)
  const order = cardPurchase(reference, { token, installments: 1, capture })
  return await merchantAt(ports.api).createTransaction(order)
}

/** Fills in the form on the page of the list. */
async function makeLink(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Valor em reais').fill(amount)
  await page.getByLabel('Descrição').fill('Duas canecas')
  await page.getByLabel('Notificações vão para').fill('https://loja.example/notificacoes')
  await page.getByRole('button', { name: 'Criar link' }).click()
}

test('an owner makes and revokes a link, and support changes nothing', async ({
  browser,
  cofre,
}) => {
  const { ports } = cofre
  const { page } = owner
  await page.goto(placeOf(page, '/payments'))
  await page.getByRole('link', { name: 'Links de pagamento' }).click()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Novo link de pagamento' }).click()
  await expectGoodPage(page)
  await page.getByLabel('Boleto').uncheck()
  await makeLink(page, '0,50')
  await expect(page.getByRole('alert')).toContainText(/No mínimo R\$\s1,00/)
  await expect(page.getByLabel('Valor em reais')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Boleto')).not.toBeChecked()
  await expectGoodPage(page)
  const reference = await page.getByLabel('Referência').inputValue()
  const sending = page.waitForRequest((request) => request.method() === 'POST')
  await makeLink(page, '42,50')
  const sent = await sending
  await expect(page.getByText('O link está pronto.')).toBeVisible()
  await expectGoodPage(page)
  const address = (await page.locator('#link-address').innerText()).trim()
  expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${ports.api}/pay/[\\w-]{22}$`))
  const linkPage = page.url()
  const shopper = await (await browser.newContext({ locale: 'pt-BR' })).newPage()
  await shopper.goto(address)
  await expect(shopper.getByText('Duas canecas')).toBeVisible()
  await expect(shopper.getByText(/R\$\s42,50/).first()).toBeVisible()

  // Sent again, the form leads to the same link.
  const again = await page.request.post(sent.url(), {
    data: sent.postData() ?? '',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(linkPage).origin,
    },
  })
  expect(again.url()).toBe(linkPage)
  await page.goto(placeOf(page, '/payment-links'))
  const rows = page.getByRole('row').filter({ hasText: reference })
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(/ativo.*R\$\s42,50.*Ana Dona/)
  await expectGoodPage(page)

  const path = new URL(linkPage).pathname
  const { origin } = new URL(support.page.url())
  await support.page.goto(`${origin}${path}`)
  await expect(support.page.getByText('Duas canecas')).toBeVisible()
  await expect(support.page.getByRole('link', { name: 'Revogar link' })).toHaveCount(0)
  await expectForbidden(support, `/payment-links/${path.slice(-22)}/revoke`, { here: path })
  await expectForbidden(support, '/payment-links/new', { here: path })

  await page.goto(linkPage)
  await page.getByRole('link', { name: 'Revogar link' }).click()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Revogar link' }).click()
  await confirmIfAsked(owner, page.getByText('O link foi revogado.').first())
  await expect(page.getByText('O link foi revogado.').first()).toBeVisible()
  await expect(page.getByText('Revogado por')).toBeVisible()
  await expectGoodPage(page)
  await shopper.reload()
  await expect(shopper.getByRole('button', { name: /PIX|Pagar/ })).toHaveCount(0)

  await page.goto(placeOf(page, '/acts'))
  const acts = page.getByRole('row').filter({ hasText: 'Link de pagamento' })
  await expect(acts.filter({ hasText: 'Bia Atende' })).toHaveCount(2)
  await expect(acts.filter({ hasText: 'revogado' }).filter({ hasText: 'Ana Dona' })).toHaveCount(1)
  await expect(acts.filter({ hasText: path.slice(-22) }).first()).toBeVisible()
})

test('an owner makes a link that only reserves, and its payer reads so until it is captured', async ({
  browser,
  cofre,
}) => {
  const { page } = owner
  await page.goto(placeOf(page, '/payment-links/new'))
  await page.getByLabel('Só reservar o valor agora e capturar depois').check()
  await makeLink(page, '42,50')
  await expect(page.getByText('reserva agora, captura depois')).toBeVisible()
  await expectGoodPage(page)
  const address = (await page.locator('#link-address').innerText()).trim()
  const shopper = await (await browser.newContext({ locale: 'pt-BR' })).newPage()
  await shopper.goto(address)
  await expect(shopper.getByTestId('reserved-now')).toContainText(
    'Reservamos o valor no seu cartão agora',
  )
  await fillPayer(shopper)
  await fillCard(shopper, VISA)
  await shopper.getByRole('button', { name: /^Reservar R\$\s42,50$/ }).press('Enter')
  await expectState(shopper, 'reserved')
  await expect(shopper.getByRole('heading', { name: 'Valor reservado' })).toBeVisible()
  await expectAccessibleInBothColours(shopper)
  await page.reload()
  await expect(page.getByText('O valor está reservado no cartão do cliente.')).toBeVisible()

  const shop = merchantAt(cofre.ports.api)
  const code = await shopper.getByTestId('fact-code').innerText()
  await shop.capturePayment(code)
  await expect.poll(async () => (await shop.findPayment(code)).status).toBe('COMPLETE')
  await shopper.reload()
  await expectState(shopper, 'paid')
  await shopper.goto(address)
  await expect(shopper.getByRole('heading', { name: 'Este link já foi pago' })).toBeVisible()
  await shopper.context().close()
})

const HEADS = 'date;kind;gross;fee;net;reference'
const TODAY = new Date(Date.now() - 3 * 60 * 60 * 1000).toISOString().slice(0, 10)

/**
 * The acquirer's payout: R$ 1,00 as charged, R$ 0,90 of another R$ 1,00, and a sale of another
 * store.
 */
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

/** Adyen's charges so far, including those of other stories. */
async function reportOf({ request }: Page, { adyen }: Ports): Promise<string> {
  return await (await request.get(`http://127.0.0.1:${adyen}/settlement.csv`)).text()
}

test('finance compares what an acquirer paid out, and support sees none of it', async ({
  cofre: { ports },
}) => {
  const before = (await reportOf(finance.page, ports)).split('\n')
  for (const reference of ['pedido-1', 'pedido-2', 'pedido-3']) {
    const { transaction } = await buy(ports, { card: VISA, reference })
    expect(transaction.status).toBe('PAID')
  }
  const { page } = finance
  await page.getByRole('link', { name: 'Recebimentos' }).click()
  await expectGoodPage(page)
  await upload(page, 'repasse.csv', FILE)
  await expect(page.getByText('O arquivo foi importado.')).toBeVisible()
  await expect(page.getByRole('row', { name: /confere/ })).toContainText('1')
  await expectGoodPage(page)

  await page.goto(placeOf(page, '/settlements'))
  const day = page.getByRole('row').filter({ hasText: '6,90' }).first()
  await expect(day).toContainText(/R\$\s10,11/)
  await expect(day).toContainText(/−R\$\s3,21/)
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Linhas e divergências' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'pedido-2' })).toContainText(
    /valor diferente esperado R\$\s1,00/,
  )
  await expect(page.getByRole('row').filter({ hasText: 'de-outra-loja' })).toContainText(
    'desconhecida',
  )
  await expectGoodPage(page)
  const csv = await page.request.get(placeOf(page, '/settlements/lines.csv?result=all'))
  expect(await csv.text()).toContain(';pedido-2;diverge;valor diferente;1,00;venda;;;')

  await upload(page, 'outro-nome.csv', FILE)
  await expect(page.getByText('Este arquivo já foi enviado')).toBeVisible()
  await upload(page, 'cartao.csv', `${FILE}\r\n${TODAY};venda;1,00;0;1,00;${VISA.number}`)
  await expect(page.getByText(/pode conter um número de cartão.*linha 6/)).toBeVisible()
  await expectGoodPage(page)
  await page.getByLabel('Quero remover este arquivo').check()
  await page.getByRole('button', { name: 'Remover o arquivo' }).click()
  await expect(page.getByText('estão sendo removidos')).toBeVisible()

  // The acquirer's own report has all three sales: two are also in the first file.
  const report = (await reportOf(page, ports)).split('\n')
  const ownLines = report.filter((line, i) => i === 0 || !before.includes(line))
  await upload(
    page,
    'settlement_detail_report_batch_1.csv',
    ownLines.join('\n'),
    'Adyen: settlement details',
  )
  await expect(page.getByRole('row', { name: /confere/ })).toContainText('1')
  await page.getByRole('link', { name: 'diverge', exact: true }).click()
  const twice = page.getByRole('row').filter({ hasText: 'já está em uma linha anterior' })
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
  await expect(rows.filter({ hasText: 'Bia Atende' })).toContainText('sem efeito')
  await expect(rows.filter({ hasText: 'Caio Contas' }).last()).toContainText('CSV próprio')
  await expect(rows.filter({ hasText: 'Caio Contas' }).first()).toContainText('Adyen')
  expect(placeOf(owner.page, '')).toContain(`/production/${STORE.id}`)
})

/** A device with a lock, whose holder is present and confirms. */
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

test('a developer of the sandbox alone works there, and finds no production', async ({
  browser,
  cofre,
}) => {
  const store = 'loja-teste'
  const place = `--store ${store} --sandbox`
  await command(cofre, `store create ${store} --sandbox`)
  const link = await linkOf(cofre, `rui@example.com ${place} --role developer`)
  const { page } = await join(browser, link, { name: 'Rui Testa' })
  const inSandbox = placeOf(page, '/payments')
  const inProduction = inSandbox.replace('/sandbox/', '/production/')
  expect(new URL(inSandbox).pathname).toBe(`/sandbox/${store}/payments`)
  await expect(page.getByRole('link', { name: 'Relógio' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ir para a produção' })).toBeHidden()
  const statusOf = async (url: string) => (await page.request.get(url)).status()
  expect(await statusOf(inProduction)).toBe(404)
  await command(cofre, `store create ${store}`)
  expect([await statusOf(inProduction), await statusOf(inSandbox)]).toEqual([404, 200])

  await command(cofre, `person remove rui@example.com ${place}`)
  await page.goto(inSandbox)
  await expect(page).toHaveURL(/\/sign-in/)
  await page.context().close()
})

test('a member comes in, signs in and confirms by passkey alone', async ({ browser }) => {
  const link = await invite(owner, 'dora@example.com', 'Proprietário')
  const context = await browser.newContext({ locale: 'pt-BR' })
  const page = await context.newPage()
  await addAuthenticator(page)

  await page.goto(link)
  const withPasskey = page.locator('form[data-passkey]')
  await withPasskey.getByLabel('Nome').fill('Dora Digital')
  await expectAccessibleInBothColours(page)
  await withPasskey.getByRole('button', { name: 'Continuar com chave de acesso' }).click()
  await expect(page.locator('#recovery-codes')).toBeVisible()
  await page.getByRole('link', { name: 'Já guardei, continuar' }).click()
  await page.waitForURL(`**/production/${STORE.id}/payments`)

  await page.getByRole('button', { name: 'Sair' }).click()
  await expectAccessibleInBothColours(page)
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click()
  await page.waitForURL(`**/production/${STORE.id}/payments`)

  await page.getByRole('link', { name: 'Dora Digital' }).click()
  await expectAccessibleInBothColours(page)
  await page.getByRole('button', { name: 'Remover Chave de acesso' }).click()
  await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible()
  await expectAccessibleInBothColours(page)
  await page.getByRole('button', { name: 'Confirmar com chave de acesso' }).click()
  await expect(page.getByText('sem esta chave de acesso você não conseguiria entrar')).toBeVisible()
  await context.close()
})

test('an owner captures a part and voids, and support does neither', async ({
  cofre: { ports },
}) => {
  const authorize = async (reference: string) =>
    (await buy(ports, { card: ELO, reference, capture: false })).transaction.code
  const captured = `/payments/${await authorize('encomenda-1')}`
  const voided = `/payments/${await authorize('encomenda-2')}`

  await support.page.goto(placeOf(support.page, captured))
  await expect(support.page.getByText('Só proprietários e o financeiro')).toBeVisible()
  for (const act of ['Capturar', 'Cancelar autorização'])
    await expect(support.page.getByRole('link', { name: act, exact: true })).toHaveCount(0)
  for (const act of ['capture', 'void']) await expectForbidden(support, `${captured}/${act}`)

  const { page } = owner
  await page.goto(placeOf(page, '/payments'))
  await page.getByRole('link', { name: 'A capturar' }).click()
  const waiting = page.getByRole('row').filter({ hasText: 'encomenda-' })
  await expect(waiting).toHaveCount(2)
  await expectGoodPage(page)
  await waiting.getByRole('link', { name: 'encomenda-1' }).click()
  await page.getByRole('link', { name: 'Capturar', exact: true }).click()
  await expectGoodPage(page)
  await page.getByLabel('Valor a capturar').fill('0,40')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expectGoodPage(page)
  await page.getByRole('button', { name: /Capturar R\$\s0,40/ }).click()
  const isCaptured = page.getByText('O pagamento foi capturado.')
  await confirmIfAsked(owner, isCaptured)
  await expect(isCaptured).toBeVisible()
  await expect(page.getByText(/capturada em parte: R\$\s0,40 de R\$\s1,00/)).toBeVisible()
  await expect(page.getByText('COMPLETE').first()).toBeVisible()
  await expectGoodPage(page)

  await page.goto(placeOf(page, voided))
  await page.getByRole('link', { name: 'Cancelar autorização' }).click()
  await expectGoodPage(page)
  await page.getByRole('button', { name: /Cancelar a autorização de R\$\s1,00/ }).click()
  const isVoided = page.getByText('A autorização foi cancelada.')
  await confirmIfAsked(owner, isVoided)
  await expect(isVoided).toBeVisible()
  await expect(page.getByText('CANCELLED').first()).toBeVisible()
  await page.goto(placeOf(page, '/waiting-for-capture'))
  await expect(waiting).toHaveCount(0)

  await page.goto(placeOf(page, '/acts'))
  const acts = page
    .getByRole('row')
    .filter({ hasText: /Pagamento capturado|Autorização cancelada/ })
  await expect(
    acts.filter({ hasText: 'Bia Atende' }).filter({ hasText: 'sem efeito' }),
  ).toHaveCount(2)
  await expect(acts.filter({ hasText: 'Ana Dona' }).filter({ hasText: /R\$\s0,40/ })).toHaveCount(1)
  await expect(acts.filter({ hasText: 'Ana Dona' })).toHaveCount(2)
})

const NEW_PASSWORD = 'outra senha longa 2'

/** Works on the person's own page, behind the link with the name. */
async function changePassword({ page }: Person): Promise<void> {
  await page.getByRole('link', { name: 'Ana Dona' }).click()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Nova senha' }).click()
  await expectGoodPage(page)
  await page.getByLabel('Nova senha').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Trocar senha' }).click()
  await expect(page.getByText('Sua senha foi trocada.')).toBeVisible()
  await page.getByRole('button', { name: 'Configurar um autenticador' }).click()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Cancelar' }).click()
}

// The last story: it changes the owner's password.
test('support cannot refund, finance can, and the owner sees both in the log', async ({
  cofre: { ports },
}) => {
  const { transaction } = await buy(ports, { card: VISA, reference: 'pedido-77' })
  const { code } = transaction

  expect(owner.page.url()).toContain(`/production/${STORE.id}/`)
  const payment = `/payments/${code}`
  await support.page.goto(placeOf(support.page, payment))
  await expect(support.page.getByRole('link', { name: 'Reembolsar' })).toHaveCount(0)
  await expect(support.page.getByText('***.***.***-25').first()).toBeVisible()
  const form = { amount: '50', remaining: '100', reason: 'duplicate', form: 'forged', note: '' }
  await expectForbidden(support, `${payment}/refund`, form)

  await finance.page.goto(placeOf(finance.page, payment))
  await finance.page.getByRole('link', { name: 'Reembolsar' }).click()
  await finance.page.getByLabel('Valor').fill('0,40')
  await finance.page.getByLabel('Motivo').selectOption('duplicate')
  await finance.page.getByRole('button', { name: 'Continuar' }).click()
  await expectGoodPage(finance.page)
  await finance.page.getByRole('button', { name: /R\$\s0,40/ }).click()
  await confirm(finance)
  await expect(finance.page.getByText('O reembolso começou.')).toBeVisible()
  await expect(finance.page.getByText(/R\$\s0,40 solicitado por Caio Contas/)).toBeVisible()

  await owner.page.goto(placeOf(owner.page, '/acts'))
  const rows = owner.page.getByRole('row').filter({ hasText: 'Reembolso solicitado' })
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'Bia Atende' })).toContainText('sem efeito')
  await expect(rows.filter({ hasText: 'Caio Contas' })).toContainText(/R\$\s0,40/)

  const pages = ['/payments', payment, `${payment}/refund`, `${payment}/block`, '/figures']
  for (const path of [
    ...pages,
    '/waiting-for-capture',
    '/notifications',
    '/people',
    '/acts',
    '/store',
  ]) {
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
})
