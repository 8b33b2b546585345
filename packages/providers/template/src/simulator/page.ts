import { maskedNumber } from '@cofre/provider-kit/simulator'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Book } from './book.js'

/** A page with its charges, for people. */
export function createPage(book: Book): Hono {
  return new Hono().get('/', (c) => {
    const rows = book.charges().map(
      ({ amountMinor, card, reference, status }) => html`
        <tr>
          <td>${reference}</td>
          <td>${maskedNumber(card)}</td>
          <td>${(amountMinor / 100).toFixed(2)}</td>
          <td>${status}</td>
        </tr>
      `,
    )
    return c.html(
      html`<!doctype html>
        <html lang="en">
          <title>Simulated Template</title>
          <h1>Simulated Template</h1>
          <table>
            <thead>
              <tr>
                <th>Reference</th>
                <th>Card</th>
                <th>BRL</th>
                <th>Status</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>
        </html>`,
    )
  })
}
