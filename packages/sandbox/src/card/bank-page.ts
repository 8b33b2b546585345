import { formatAmount } from '@cofre/contracts'
import type { WaitingCard } from '@cofre/gateway'
import { html, raw } from 'hono/html'

/** Where the sandbox's bank authenticates the holder of a card: beside where it comes back. */
export function bankPageOf(returnUrl: string): string {
  return returnUrl.replace(/\/return$/, '/bank')
}

/** The page of a card's bank, in Portuguese and English, without script. */
export function bankPage({ publicId, payee, amountMinor, state }: WaitingCard) {
  const back = `/a/${publicId}/return`
  const answers =
    state === 'waiting'
      ? html`<a class="button" href="${back}?redirectResult=approved"
            >Aprovar <span lang="en">Approve</span></a
          >
          <a class="button quiet" href="${back}?redirectResult=failed"
            >Falhar <span lang="en">Fail</span></a
          >
          <p>
            Para sair sem responder, feche esta página.
            <span lang="en">To leave without an answer, close this page.</span>
          </p>`
      : html`<p role="status">
          Este pagamento não espera mais. <span lang="en">This payment waits no more.</span>
        </p>`
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Banco de teste</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p class="note">
            Banco de teste: nenhum dinheiro se move.
            <span lang="en">Test bank: no money moves.</span>
          </p>
          <h1>É você? <span lang="en">Is it you?</span></h1>
          <p>Pagar a <strong>${payee}</strong> <span lang="en">Pay ${payee}</span></p>
          <p class="amount">R$ ${formatAmount(amountMinor).replace('.', ',')}</p>
          ${answers}
        </main>
      </body>
    </html>`
}

export const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;padding:1rem;display:grid;place-items:center;min-height:80vh}
main{width:min(24rem,100%)}
h1{margin:.5rem 0}
span{display:block;opacity:.75;font-size:.85em}
.note{border:2px dashed;border-radius:.5rem;padding:.5rem .75rem}
.amount{font-size:2rem;font-weight:700;margin:.5rem 0 1rem}
.button{display:block;box-sizing:border-box;margin:.75rem 0;padding:.5rem;text-align:center;text-decoration:none;font-weight:600;border-radius:.5rem;border:2px solid #14532d;background:#14532d;color:#fff}
.button span{opacity:1}
.button.quiet{background:none;color:inherit;border-color:currentColor}
.button:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
`

// Apart from the page, whose layout would come between the tags: the policy's hash covers every
// character there.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)
