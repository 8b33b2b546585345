import type { WaitingCard } from '@cofre/gateway'
import { html } from 'hono/html'
import { simulatedPage } from '../simulated-page/simulated-page.js'

/**
 * The path of the sandbox's bank, which authenticates the holder of a card: beside the return path.
 */
export function bankPageOf(returnUrl: string): string {
  return returnUrl.replace(/\/return$/, '/bank')
}

/** The page of a card's bank. */
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
  const heading = html`É você? <span lang="en">Is it you?</span>`
  return simulatedPage({
    simulator: ['Banco de teste', 'Test bank'],
    heading,
    payee,
    amountMinor,
    answers,
  })
}
