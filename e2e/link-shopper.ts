// Shoppers at payment links, without a browser.
import { randomUUID } from 'node:crypto'
import type { Ports } from './cofre-process.js'
import { PAYER } from './payment-link-story.js'
import { depositCard } from './shop-request.js'

const CARD = { number: '4111111111111111', cvv: '123' }

interface Shopper {
  /** The port of the API that serves the link. */
  readonly port: number
  readonly code: string
  readonly fields: Readonly<Record<string, string>>
  /** The last part of the shopper's IP address. */
  readonly number: number
}

/** Sends the form of a link; returns the response's status and redirect. */
export async function sendPayment({ port, code, fields, number }: Shopper) {
  const answer = await fetch(`http://127.0.0.1:${port}/pay/${code}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'X-Forwarded-For': `203.0.113.${number}` },
    body: new URLSearchParams({ form: randomUUID(), ...PAYER, ...fields }),
  })
  await answer.text()
  return { status: answer.status, location: answer.headers.get('Location') }
}

/** The form's fields for an approved card. */
export async function cardFields(ports: Ports): Promise<Record<string, string>> {
  const token = await depositCard(ports, CARD)
  const rest = { 'birth-date': '1990-01-31', phone: '(11) 98765-4321', installments: '1' }
  return { method: 'credit-card', token, ...rest }
}
