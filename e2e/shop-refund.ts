// Refunds requested by the demo shop's server, of the order on a page.
import { type Page, expect } from '@playwright/test'
import type { CofreProcess } from './cofre-process.js'
import { merchantAt } from './shop-request.js'

interface Asked {
  readonly amount: number
  /** The shop's reference of the refund. */
  readonly reference?: string
}

/** Requests the refund, and shows the order. @returns the code of the order */
export async function refundShown(
  page: Page,
  { port, amount, ...named }: Asked & { readonly port: number },
): Promise<string> {
  const code = await page.getByTestId('order-code').innerText()
  const { origin } = new URL(page.url())
  await merchantAt(port).createRefund(
    { 'transaction-id': code, amount, 'notify-url': `${origin}/notifications`, ...named },
    { idempotencyKey: `refund-${code}-${amount}` },
  )
  await page.goto(`${origin}/orders/${code}`)
  return code
}

/** Refunds a part of an order in production. */
export function refundAPart(page: Page, { ports }: Pick<CofreProcess, 'ports'>): Promise<string> {
  return refundShown(page, { port: ports.api, amount: 12.5 })
}

type Status = 'PROCESSING' | 'PROCESSED' | 'REJECTED'

/** Waits until the order's refunds have these statuses, and shows the order. */
export async function expectRefunds(
  page: Page,
  port: number,
  ...expected: readonly Status[]
): Promise<void> {
  const code = await page.getByTestId('order-code').innerText()
  const merchant = merchantAt(port)
  const statuses = async () =>
    (await merchant.findTransaction(code)).refunds.map((refund) => refund['refund-status'])
  await expect.poll(statuses).toEqual(expected)
  await page.goto(new URL(`/orders/${code}?check=yes`, page.url()).href)
}
