import { type CartLine, cartTotals, isShipped } from '../cart/cart.js'
import { LineList, Totals } from '../cart/totals.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { assetUrl } from '../page/static-asset-routes.js'
import type { OwnedCard } from '../session/session.js'
import type { Method } from './checkout-form.js'
import type { FieldValues } from './field-name.js'
import { PayButton } from './pay-button.js'
import { AddressFields, ContactFields } from './payer-fields.js'
import { PaymentFields } from './payment-fields.js'
import { ProblemSummary } from './problem-summary.js'
import type { Refusal } from './refusal.js'
import { scriptTexts } from './script-texts.js'
import { TestData } from './test-data.js'

interface CheckoutPageProps {
  readonly lines: readonly CartLine[]
  readonly values: FieldValues
  readonly method: Method
  readonly refusal: Refusal
  readonly reference: string
  readonly savedCards: readonly OwnedCard[]
  readonly wallets: readonly string[]
  readonly libraryUrl: string
  readonly libraryIntegrity: string
  readonly libraryGlobal: string
  /** The only store that may pay with the page's tokens. */
  readonly storeId: string
  readonly language: Language
  readonly messages: Messages
}

type CheckoutScriptsProps = Pick<CheckoutPageProps, 'libraryUrl' | 'libraryIntegrity'>

/**
 * The library is asynchronous, so that a page whose vault is down still works as far as it can, and runs only if it is
 * the file that was meant (PCI DSS 6.4.3).
 */
export function CheckoutScripts({ libraryUrl, libraryIntegrity }: CheckoutScriptsProps) {
  return (
    <>
      <script
        id="card-library"
        src={libraryUrl}
        integrity={libraryIntegrity}
        crossorigin="anonymous"
        async
      />
      <script type="module" src={assetUrl('checkout.js')} />
    </>
  )
}

/** The form that pays, and what it pays for. */
export function CheckoutPage(props: CheckoutPageProps) {
  const { lines, messages, language } = props
  const { cart, checkout } = messages
  return (
    <div class="frame">
      <h1>{checkout.title}</h1>
      <div class="columns checkout">
        <aside class="card" aria-labelledby="summary">
          <div class="heading-row">
            <h2 id="summary">{cart.summary}</h2>
            <a href="/cart">{cart.edit}</a>
          </div>
          <LineList lines={lines} language={language} />
          <Totals totals={cartTotals(lines)} language={language} messages={messages} />
        </aside>
        <CheckoutForm {...props} />
      </div>
    </div>
  )
}

function CheckoutForm(props: CheckoutPageProps) {
  const { lines, refusal, messages, language } = props
  const { totalCentavos } = cartTotals(lines)
  return (
    <form
      id="checkout"
      method="post"
      action="/checkout"
      data-library-url={props.libraryUrl}
      data-library-integrity={props.libraryIntegrity}
      data-library-global={props.libraryGlobal}
      data-store-id={props.storeId}
      data-texts={JSON.stringify(scriptTexts(messages))}
    >
      <ProblemSummary refusal={refusal} messages={messages} />
      <input type="hidden" name="reference" value={props.reference} />
      <input type="hidden" name="token" id="token" />
      <input type="hidden" name="card-brand" id="card-brand" />
      <input type="hidden" name="card-last-four" id="card-last-four" />
      <TestData messages={messages} />
      <ContactFields values={props.values} wrong={refusal.fields} messages={messages} />
      {isShipped(lines) && (
        <AddressFields values={props.values} wrong={refusal.fields} messages={messages} />
      )}
      <PaymentFields
        method={props.method}
        wallets={props.wallets}
        savedCards={props.savedCards}
        totalCentavos={totalCentavos}
        language={language}
        messages={messages}
      />
      <PayButton totalCentavos={totalCentavos} language={language} messages={messages} />
      <p id="progress" class="progress" role="status" aria-live="polite"></p>
    </form>
  )
}
