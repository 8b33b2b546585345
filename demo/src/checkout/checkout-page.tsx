import { fill } from '@cofre/pages'
import { BRAND_NAMES, type SavedCard } from '../model/card.js'
import { type CartLine, isShipped, totalsOf } from '../model/cart.js'
import type { Centavos } from '../model/money.js'
import type { FieldValues } from '../model/payer.js'
import type { CardInput } from '../model/session.js'
import { LineList, Totals } from '../page/goods.js'
import { Icon, assets, useView } from '../page/view.js'
import type { Refusal } from '../payment/refusal.js'
import { AddressFields, ContactFields } from './payer-fields.js'
import { PaymentFields } from './payment-fields.js'
import { TestData } from './test-data.js'

interface CheckoutPageProps {
  readonly reference: string
  readonly lines: readonly CartLine[]
  readonly savedCards: readonly SavedCard[]
  readonly cardInput: CardInput
  readonly values: FieldValues
  readonly method: string
  readonly refusal: Refusal
}

/** The script of each card input. */
const SCRIPTS = { own: 'library', hosted: 'fields' } as const satisfies Record<CardInput, string>

/**
 * The script is asynchronous, so that the page stays usable while the vault is down. It runs only
 * if its hash matches (PCI DSS 6.4.3).
 */
export function CheckoutScripts({ cardInput }: Pick<CheckoutPageProps, 'cardInput'>) {
  const { url, integrity } = useView().shop[SCRIPTS[cardInput]]
  return (
    <>
      <script id="card-library" src={url} integrity={integrity} crossorigin="anonymous" async />
      <script type="module" src={assets.urlOf('checkout.js')} />
    </>
  )
}

/** The payment form and the cart it pays for. */
export function CheckoutPage(props: CheckoutPageProps) {
  const { cart, checkout } = useView().texts
  return (
    <div class="frame">
      <h1>{checkout.title}</h1>
      <div class="columns checkout">
        <aside class="card" aria-labelledby="summary">
          <div class="row">
            <h2 id="summary">{cart.summary}</h2>
            <a href="/cart">{cart.edit}</a>
          </div>
          <LineList lines={props.lines} />
          <Totals totals={totalsOf(props.lines)} />
        </aside>
        <CheckoutForm {...props} />
      </div>
    </div>
  )
}

function CheckoutForm(props: CheckoutPageProps) {
  const { cardInput, lines, values, refusal } = props
  const { shop, texts } = useView()
  const { checkout } = texts
  const { totalCentavos } = totalsOf(lines)
  const script = shop[SCRIPTS[cardInput]]
  const areShipped = isShipped(lines)
  const address = <AddressFields values={values} wrong={refusal.fields} isShipped={areShipped} />
  const scriptTexts = {
    brands: BRAND_NAMES,
    errors: { ...checkout.fieldErrors, ...checkout.cardErrors },
    libraryErrors: checkout.libraryErrors,
    paying: checkout.paying,
    encrypting: checkout.encrypting,
  }
  return (
    <form
      id="checkout"
      class="stack"
      method="post"
      action="/checkout"
      data-card-input={cardInput}
      data-library-url={script.url}
      data-library-integrity={script.integrity}
      data-library-global={shop.libraryGlobal}
      data-store-id={shop.storeId}
      data-texts={JSON.stringify(scriptTexts)}
    >
      <ProblemSummary {...refusal} />
      <input type="hidden" name="reference" value={props.reference} />
      <input type="hidden" name="token" id="token" />
      <input type="hidden" name="security-code-token" id="security-code-token" />
      <input type="hidden" name="card-brand" id="card-brand" />
      <input type="hidden" name="card-last-four" id="card-last-four" />
      <TestData cardInput={cardInput} />
      <ContactFields values={values} wrong={refusal.fields} />
      {areShipped && address}
      <PaymentFields {...props} totalCentavos={totalCentavos} />
      {!areShipped && address}
      <PayButton totalCentavos={totalCentavos} />
      <p id="progress" class="hint" role="status" aria-live="polite"></p>
    </form>
  )
}

/** All problems, above the form; the script fills the same element. */
function ProblemSummary({ fields, problems }: Refusal) {
  const { checkout } = useView().texts
  return (
    <div
      id="problems"
      class="problem"
      role="alert"
      tabindex={-1}
      data-testid="problems"
      data-error-code={problems[0]}
      hidden={fields.length + problems.length === 0}
    >
      <h2>{checkout.problemsTitle}</h2>
      <ul>
        {problems.map((problem) => (
          <li>{checkout.problems[problem]}</li>
        ))}
        {fields.map((name) => (
          <li>
            <a href={`#${name}`}>{checkout.fieldErrors[name]}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * The script enables the button, so that no card is posted before it listens; pages without script
 * have another button.
 */
function PayButton({ totalCentavos }: { readonly totalCentavos: Centavos }) {
  const { texts, money } = useView()
  const total = money(totalCentavos)
  // One label per method; the stylesheet shows the chosen one.
  const labels = Object.entries(texts.checkout.pay).map(([kind, text]) => (
    <span class={`for-${kind}`}>{fill(text, { total })}</span>
  ))
  return (
    <>
      <button class="pay needs-script" type="submit" disabled data-testid="pay">
        <Icon name="lock" />
        {labels}
      </button>
      <noscript>
        <button class="pay" type="submit">
          <Icon name="lock" />
          {labels}
        </button>
      </noscript>
    </>
  )
}
