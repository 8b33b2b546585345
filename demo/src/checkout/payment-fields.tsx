import { Choice, FormField, fill, properName } from '@cofre/pages'
import { BRAND_NAMES, type SavedCard } from '../model/card.js'
import type { Centavos } from '../model/money.js'
import { CARD_INPUTS, type CardInput } from '../model/session.js'
import { SecurityNote } from '../page/layout.js'
import { Icon, useView } from '../page/view.js'
import { NEW_CARD, PLAIN_METHODS } from './checkout-form.js'

interface PaymentFieldsProps {
  /** The chosen method. */
  readonly method: string
  readonly savedCards: readonly SavedCard[]
  readonly cardInput: CardInput
  readonly totalCentavos: Centavos
}

/**
 * The payment methods. The stylesheet shows the card's fields while a card is chosen; all other
 * methods work without script.
 */
export function PaymentFields(props: PaymentFieldsProps) {
  const { shop, texts } = useView()
  const { checkout } = texts
  return (
    <fieldset class="card">
      <legend>{checkout.payment}</legend>
      <div class="choices methods" role="radiogroup" aria-label={checkout.chooseMethod}>
        {[...PLAIN_METHODS, ...shop.wallets].map((value) => (
          <MethodChoice value={value} isChosen={props.method === value} />
        ))}
      </div>
      <CardFields {...props} />
    </fieldset>
  )
}

function MethodChoice({ value, isChosen }: { readonly value: string; readonly isChosen: boolean }) {
  const { methods, walletMethod } = useView().texts.checkout
  const kind = PLAIN_METHODS.find((plain) => plain === value) ?? 'wallet'
  const name = properName(value)
  const { title, text } = kind === 'wallet' ? { title: name, text: walletMethod } : methods[kind]
  const input = { name: 'method', value, checked: isChosen, 'data-kind': kind }
  return (
    <Choice input={input} hint={fill(text, { name })} icon={<Icon name={kind} />}>
      <strong>{title}</strong>
    </Choice>
  )
}

/** A real shop decides once where its customers type their cards. */
function CardInputSwitch({ cardInput }: Pick<PaymentFieldsProps, 'cardInput'>) {
  const { title, hint, choices } = useView().texts.checkout.cardInput
  return (
    <section class="demo-hint needs-script" aria-labelledby="card-input-title">
      <h3 id="card-input-title">{title}</h3>
      <p>{hint[cardInput]}</p>
      <input type="hidden" id="card-input" name="card-input" />
      <div class="actions" role="group" aria-labelledby="card-input-title">
        {CARD_INPUTS.map((choice) => (
          <button
            class="quiet"
            type="button"
            disabled
            data-card-input={choice}
            aria-pressed={choice === cardInput ? 'true' : 'false'}
          >
            {choices[choice]}
          </button>
        ))}
      </div>
    </section>
  )
}

/** The choice of a card: a saved one, or a new one that the script turns into a token. */
function CardFields({ cardInput, savedCards, totalCentavos }: PaymentFieldsProps) {
  const { texts, money } = useView()
  const { checkout } = texts
  return (
    <div id="card-payment" class="part">
      <CardInputSwitch cardInput={cardInput} />
      <p class="hint">{checkout.paymentHint}</p>
      <SecurityNote>{texts.shop.securityNote}</SecurityNote>
      <noscript>
        <p class="problem">{checkout.needsScript}</p>
      </noscript>
      {savedCards.length > 0 && <CardChoice savedCards={savedCards} />}
      {savedCards.length > 0 && cardInput === 'hosted' && <div id="security-code" hidden />}
      <NewCard cardInput={cardInput} />
      <div class="fields">
        <FormField
          id="installments"
          name="installments"
          label={checkout.installments}
          hint={checkout.installmentsHint}
          autocomplete="off"
          options={{ 1: fill(checkout.oneInstallment, { amount: money(totalCentavos) }) }}
        />
      </div>
    </div>
  )
}

function CardChoice({ savedCards }: Pick<PaymentFieldsProps, 'savedCards'>) {
  const { checkout } = useView().texts
  return (
    <div class="choices" role="radiogroup" aria-label={checkout.chooseCard}>
      {savedCards.map(({ code, brand, lastFour, expirationDate, email }, index) => {
        const expiry = expirationDate.split('-').reverse().join('/')
        const checked = index === 0
        return (
          <Choice
            input={{ name: 'payment-code', value: code, checked, 'data-brand': brand }}
            hint={fill(checkout.savedCardHint, { expiry, email })}
          >
            {fill(checkout.savedCard, { brand: BRAND_NAMES[brand], lastFour })}
          </Choice>
        )
      })}
      <Choice input={{ name: 'payment-code', value: NEW_CARD }}>{checkout.newCard}</Choice>
    </div>
  )
}

const OWN_INPUTS = [
  { id: 'card-number', autocomplete: 'cc-number', maxlength: 23, width: 'full' },
  { id: 'card-expiry', autocomplete: 'cc-exp', maxlength: 7, width: 'half' },
  { id: 'card-cvv', autocomplete: 'cc-csc', maxlength: 4, width: 'half' },
] as const

/** A new card: the shop's inputs, or the fields that the script opens. */
function NewCard({ cardInput }: Pick<PaymentFieldsProps, 'cardInput'>) {
  const { checkout } = useView().texts
  return (
    <div id="new-card" class="fields">
      {cardInput === 'hosted' ? <HostedFields /> : <OwnInputs />}
      <Choice input={{ type: 'checkbox', name: 'save', value: 'yes' }} hint={checkout.saveCardHint}>
        {checkout.saveCard}
      </Choice>
    </div>
  )
}

/** The script opens the fields or shows that they failed to load. */
function HostedFields() {
  return (
    <>
      <div id="card-fields" />
      <p id="no-card-fields" class="field-error" role="alert" hidden>
        {useView().texts.checkout.cardsUnavailable}
      </p>
    </>
  )
}

/** Inputs without a name, so that a form posted without the script can't contain them. */
function OwnInputs() {
  const { checkout } = useView().texts
  return (
    <>
      {OWN_INPUTS.map((input) => (
        <FormField
          {...input}
          label={checkout.cardFields[input.id]}
          hint={checkout.cardHints[input.id]}
          type="text"
          inputmode="numeric"
          spellcheck={false}
        >
          {input.id === 'card-number' && (
            <output id="brand-hint" class="badge" for={input.id} data-testid="card-brand" hidden />
          )}
        </FormField>
      ))}
    </>
  )
}
