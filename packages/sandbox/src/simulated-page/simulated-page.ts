import { createHash } from 'node:crypto'
import { type MinorUnits, formatAmount } from '@cofre/contracts'
import { html, raw } from 'hono/html'

/** The type of a template in `hono/html`. */
type Markup = ReturnType<typeof html>

/** A page of a simulated party: a bank, a wallet. */
export interface SimulatedPage {
  /** The simulated party, in Portuguese and in English. */
  readonly simulator: readonly [portuguese: string, english: string]
  readonly heading: string | Markup
  readonly payee: string
  readonly amountMinor: MinorUnits
  /** The payer's possible answers, or why none is possible. */
  readonly answers: Markup | Promise<Markup>
}

/** The page, in Portuguese and English, without script. */
export function simulatedPage({ simulator, heading, payee, amountMinor, answers }: SimulatedPage) {
  const [portuguese, english] = simulator
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${portuguese}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p class="note">
            ${portuguese}: nenhum dinheiro é movimentado.
            <span lang="en">${english}: no money moves.</span>
          </p>
          <h1>${heading}</h1>
          <p>Pagar a <strong>${payee}</strong> <span lang="en">Pay ${payee}</span></p>
          <p class="amount">R$ ${formatAmount(amountMinor).replace('.', ',')}</p>
          ${answers}
        </main>
      </body>
    </html>`
}

const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;padding:1rem;display:grid;place-items:center;min-height:80vh}
main{width:min(24rem,100%)}
h1{margin:.5rem 0}
h1::first-letter{text-transform:uppercase}
span{display:block;opacity:.75;font-size:.85em}
.note{border:2px dashed;border-radius:.5rem;padding:.5rem .75rem}
.amount{font-size:2rem;font-weight:700;margin:.5rem 0 1rem}
form{margin:.75rem 0}
.button{display:block;box-sizing:border-box;width:100%;min-height:3.25rem;margin:.75rem 0;padding:.5rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border-radius:.5rem;border:2px solid #14532d;background:#14532d;color:#fff;cursor:pointer}
.button span{opacity:1}
.button.quiet{background:none;color:inherit;border-color:currentColor}
.button:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
`

// Separate from the page, whose layout would add characters between the tags: the policy's hash
// covers every character there.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** @param formAction - The targets of its forms, including redirects, in the policy's syntax. */
export function simulatedPageHeaders(formAction: string): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy':
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
      `frame-ancestors 'none'; form-action ${formAction}`,
  }
}
