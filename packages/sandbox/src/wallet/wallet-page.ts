import type { WaitingWallet } from '@cofre/gateway'
import { properName } from '@cofre/pages'
import { html } from 'hono/html'
import { simulatedPage } from '../simulated-page/simulated-page.js'

/** The path where the sandbox's wallet waits for the payer. */
export function walletPath(publicId: string): string {
  return `/w/${publicId}`
}

/** A wallet's page. */
export function walletPage(wallet: WaitingWallet) {
  const { publicId, amountMinor, payee, walletName, isWaiting, isPaid } = wallet
  const path = walletPath(publicId)
  const answered = isPaid
    ? html`<p role="status">Já pago. <span lang="en">Already paid.</span></p>`
    : html`<p role="status">
        Este pagamento foi encerrado. <span lang="en">This payment has ended.</span>
      </p>`
  const questions = html`<form method="post" action="${path}/pay">
      <button class="button">Pagar <span lang="en">Pay</span></button>
    </form>
    <form method="post" action="${path}/cancel">
      <button class="button quiet">Cancelar <span lang="en">Cancel</span></button>
    </form>`
  return simulatedPage({
    simulator: ['Carteira de teste', 'Test wallet'],
    heading: properName(walletName),
    payee,
    amountMinor,
    answers: isWaiting ? questions : answered,
  })
}
