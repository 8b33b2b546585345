import { type Page, expect } from '@playwright/test'
import { type CofreProcess, STORE } from './cofre-process.js'
import { railOrder } from './orders.js'
import { merchantAt } from './shop-request.js'

/** A running product with its console. */
export interface PanelStory {
  readonly cofre: CofreProcess
  readonly panelUrl: string
  /** Creates a PIX of one real in the sandbox and returns its transaction's code. */
  createPix(reference: string, notificationUrl: string): Promise<string>
  /** Requests a refund of the whole transaction. */
  refund(code: string, reference: string, notifyUrl: string): Promise<void>
}

export function panelStory(cofre: CofreProcess): PanelStory {
  const merchant = merchantAt(cofre.ports.sandbox)
  return {
    cofre,
    panelUrl: panelUrlOf(cofre),
    async createPix(reference, notificationUrl) {
      const { transaction } = await merchant.createTransaction(
        railOrder('pix', { reference, notificationUrl }),
      )
      return transaction.code
    },
    async refund(code, reference, notifyUrl) {
      await merchant.createRefund({
        'transaction-id': Number(code),
        'notify-url': notifyUrl,
        reference,
      })
    },
  }
}

export function panelUrlOf({ ports }: CofreProcess): string {
  return `http://localhost:${ports.panel}`
}

export async function signIn(page: Page, panelUrl: string, secret = STORE.secret): Promise<void> {
  await page.goto(`${panelUrl}/sign-in/sandbox`)
  await fillCredentials(page, secret)
  await page.waitForURL(`**/sandbox/${STORE.id}/payments`)
}

export async function fillCredentials(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Id da loja').fill(STORE.id)
  await page.getByLabel('Chave secreta').fill(secret)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** The URL of the store's built-in receiver. */
export async function receiverUrl(page: Page, panelUrl: string): Promise<string> {
  await page.goto(`${panelUrl}/receiver`)
  return await page.locator('#receiver-url').innerText()
}

/**
 * Follows the demo shop's link from an order to the panel, signs in there and makes the bank report
 * a status.
 */
export async function decideInPanel(orderPage: Page, status: string): Promise<void> {
  const opening = orderPage.waitForEvent('popup')
  await orderPage.getByTestId('panel-link').click()
  const panel = await opening
  await panel.getByRole('link', { name: 'Entrar no sandbox com a chave secreta da loja' }).click()
  await fillCredentials(panel, STORE.secret)
  await notify(panel, status)
  await expect(panel.getByText('O banco informou o status')).toBeVisible()
}

/** Makes the bank report a status, on a transaction's page. */
export async function notify(page: Page, status: string): Promise<void> {
  await page.getByRole('radio', { name: status }).check()
  await page.getByRole('button', { name: 'Notificar' }).click()
}
