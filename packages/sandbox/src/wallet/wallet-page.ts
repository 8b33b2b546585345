import { formatAmount } from '@cofre/contracts'
import type { WaitingWallet } from '@cofre/gateway'
import { html, raw } from 'hono/html'

/** Where the sandbox's wallet waits for the payer. */
export function walletPath(publicId: string): string {
  return `/w/${publicId}`
}

/** A wallet's page, in Portuguese and English, without script. */
export function walletPage(wallet: WaitingWallet) {
  const { publicId, amountMinor, payee, walletName, isWaiting, isPaid } = wallet
  const path = walletPath(publicId)
  const answered = isPaid
    ? html`<p role="status">Já pago. <span lang="en">Already paid.</span></p>`
    : html`<p role="status">
        Este pagamento foi encerrado. <span lang="en">This payment has ended.</span>
      </p>`
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Carteira de teste</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p class="note">
            Carteira de teste: nenhum dinheiro se move.
            <span lang="en">Test wallet: no money moves.</span>
          </p>
          <h1>${walletName}</h1>
          <p>Pagar a <strong>${payee}</strong> <span lang="en">Pay ${payee}</span></p>
          <p class="amount">R$ ${formatAmount(amountMinor).replace('.', ',')}</p>
          ${
            isWaiting
              ? html`<form method="post" action="${path}/pay">
                    <button>Pagar <span lang="en">Pay</span></button>
                  </form>
                  <form method="post" action="${path}/cancel">
                    <button class="quiet">Cancelar <span lang="en">Cancel</span></button>
                  </form>`
              : answered
          }
        </main>
      </body>
    </html>`
}

export const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;padding:1rem;display:grid;place-items:center;min-height:80vh}
main{width:min(24rem,100%)}
h1{text-transform:capitalize;margin:.5rem 0}
span{display:block;opacity:.75;font-size:.85em}
.note{border:2px dashed;border-radius:.5rem;padding:.5rem .75rem}
.amount{font-size:2rem;font-weight:700;margin:.5rem 0 1rem}
form{margin:.75rem 0}
button{font:inherit;font-weight:600;width:100%;min-height:3.25rem;border-radius:.5rem;border:2px solid #14532d;background:#14532d;color:#fff;cursor:pointer}
button.quiet{background:none;color:inherit;border-color:currentColor}
button:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
`

// Apart from the page, whose layout would come between the tags: the policy's hash covers every
// character there.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)
