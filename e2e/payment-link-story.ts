import type { CreatePaymentLinkRequest } from '@cofre/merchant'
import { type Page, expect } from '@playwright/test'
import { expectRunning } from './card-frame.js'
import type { CofreProcess } from './cofre-process.js'
import { merchantAt, sandboxAt } from './shop-request.js'
import type { TestCard } from './story.js'

export type LinkEnvironment = 'sandbox' | 'production'

/** Makes a link of one hundred reais, which any method can pay once. */
export function makeLink(
  { ports }: CofreProcess,
  environment: LinkEnvironment,
  fields: Partial<CreatePaymentLinkRequest> = {},
): Promise<{ readonly code: string; readonly url: string }> {
  return merchantAt(environment === 'sandbox' ? ports.sandbox : ports.api).createPaymentLink({
    amount: 100,
    description: 'Assinatura de café',
    methods: ['credit-card', 'pix', 'boleto', 'paypal'],
    installments: 6,
    language: 'pt-BR',
    'success-url': 'https://shop.example/thanks',
    'notification-url': 'http://127.0.0.1:9/notifications',
    ...fields,
  })
}

export function choose(page: Page, method: string): Promise<void> {
  return page.locator(`[name=method][value="${method}"]`).check()
}

export const PAYER = {
  name: 'Maria da Silva',
  email: 'maria@example.com',
  document: '529.982.247-25',
} as const

export async function fillPayer(page: Page, name: string = PAYER.name): Promise<void> {
  await page.getByLabel('Nome completo').fill(name)
  await page.getByLabel('E-mail').fill(PAYER.email)
  await page.getByLabel('CPF ou CNPJ').fill(PAYER.document)
}

export async function fillAddress(page: Page): Promise<void> {
  await page.getByLabel('CEP').fill('01310-100')
  await page.getByLabel('Rua').fill('Avenida Paulista')
  await page.getByLabel('Número', { exact: true }).fill('1000')
  await page.getByLabel('Bairro').fill('Bela Vista')
  await page.getByLabel('Cidade').fill('São Paulo')
  await page.getByLabel('Estado').selectOption('SP')
}

/** Fills in a card's payer, and the card in the vault's frame. */
export async function fillCard(page: Page, { number, cvv }: TestCard): Promise<void> {
  await page.getByLabel('Data de nascimento').fill('1990-01-31')
  await page.getByLabel('Celular').fill('(11) 98765-4321')
  const frame = page.frameLocator('#card-fields iframe')
  await expectRunning(frame)
  await frame.locator('#number').fill(number)
  await frame.locator('#expiry').fill('12/35')
  await frame.locator('#cvv').fill(cvv)
}

/** Pays by keyboard: right after the page scrolls, a click may still reach the frame. */
export function pay(page: Page): Promise<void> {
  return page.getByTestId('pay').press('Enter')
}

export function expectState(page: Page, state: string): Promise<void> {
  return expect(page.getByTestId('try')).toHaveAttribute('data-state', state)
}

/** Makes the sandbox's bank report a status of the try on the page. */
export async function reportStatus(
  page: Page,
  { ports }: CofreProcess,
  status: 'COMPLETE' | 'CANCELLED',
): Promise<void> {
  const code = await page.getByTestId('fact-code').innerText()
  await sandboxAt(ports.sandbox).setStatus(code, status)
}
