import type { Messages } from '../language/messages.js'

interface WalletPageProps {
  readonly name: string
  readonly pageUrl: string
  readonly messages: Messages
}

/**
 * Sends the browser on at once. A redirect would do, were it not for the checkout's form: what a form leads to has to be
 * named in the policy, and a wallet may be anywhere.
 */
export function WalletRedirect({ pageUrl }: Pick<WalletPageProps, 'pageUrl'>) {
  return <meta http-equiv="refresh" content={`0; url=${pageUrl}`} />
}

/** What is seen for a moment between the shop and the wallet. */
export function WalletPage({ name, pageUrl, messages }: WalletPageProps) {
  const { wallet } = messages.order
  return (
    <section class="frame narrow notice">
      <h1>{wallet.leaving(name)}</h1>
      <p>{wallet.leavingText}</p>
      <p>
        <a class="button" href={pageUrl}>
          {wallet.goOn(name)}
        </a>
      </p>
    </section>
  )
}
