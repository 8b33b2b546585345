import { formatAmount } from '@cofre/contracts'
import { shopperTextOf } from '@cofre/contracts/declines'
import { html, raw } from 'hono/html'
import type { WaitingCard } from '../../payment/card-authentication-service.js'

/** The page of a cardholder's authentication, in Portuguese and English, without script. */
export function authenticationPage(card: WaitingCard) {
  const { payee, amountMinor } = card
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Pagamento · ${payee}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${payee}</h1>
          <p class="amount">R$ ${formatAmount(amountMinor).replace('.', ',')}</p>
          ${contentOf(card)}
        </main>
      </body>
    </html>`
}

function contentOf(card: WaitingCard) {
  const { state, action, reason } = card
  switch (state) {
    case 'waiting':
      return html`<p>
          O banco do seu cartão quer confirmar que é você.
          <span lang="en">Your card's bank wants to confirm that it is you.</span>
        </p>
        ${action && stepTo(action)}`
    case 'checking':
      return html`<p role="status">
        Estamos confirmando o pagamento. Esta página se atualiza sozinha.
        <span lang="en">We are confirming the payment. This page updates by itself.</span>
      </p>`
    case 'reserved':
      return html`<p role="status" class="end">
          Valor reservado no seu cartão. A cobrança só é feita quando a loja confirmar.
          <span lang="en"
            >Amount reserved on your card. You’re charged only when the store confirms.</span
          >
        </p>
        ${continueLink(card)}`
    case 'paid':
      return html`<p role="status" class="end">
          Pagamento aprovado. <span lang="en">Payment approved.</span>
        </p>
        ${continueLink(card)}`
    case 'declined':
      return html`<p role="status" class="end">
          Pagamento não aprovado. ${shopperTextOf(reason, 'pt-BR')}
          <span lang="en">Payment not approved. ${shopperTextOf(reason, 'en')}</span>
        </p>
        ${continueLink(card)}`
  }
}

const TO_THE_BANK = html`Ir ao banco <span lang="en">Go to the bank</span>`

/** A link if possible: our policy cannot name the origins to which a bank redirects a form. */
function stepTo({ method, url, fields }: NonNullable<WaitingCard['action']>) {
  if (method === 'GET') return html`<a class="button" href="${url}">${TO_THE_BANK}</a>`
  return html`<form method="post" action="${url}">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button class="button">${TO_THE_BANK}</button>
  </form>`
}

function continueLink({ wayOn }: WaitingCard) {
  return wayOn === undefined
    ? html`<p>Você já pode fechar esta página. <span lang="en">You may close this page.</span></p>`
    : html`<a class="button" href="${wayOn}">Continuar <span lang="en">Continue</span></a>`
}

export const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;padding:1rem;display:grid;place-items:center;min-height:80vh}
main{width:min(24rem,100%)}
h1{font-size:1.25rem;margin:.5rem 0;overflow-wrap:anywhere}
span{display:block;opacity:.75;font-size:.85em}
.amount{font-size:2rem;font-weight:700;margin:.5rem 0 1rem}
.end{padding:.75rem;border:2px solid;border-radius:.5rem}
.button{font:inherit;font-weight:600;display:block;box-sizing:border-box;width:100%;margin:.75rem 0;padding:.5rem;text-align:center;text-decoration:none;border-radius:.5rem;border:2px solid #14532d;background:#14532d;color:#fff;cursor:pointer}
.button span{opacity:1}
.button:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
`

// Outside the template, because its indentation would change the hash in the page's policy.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)
