import type { Centavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { CardInput, Messages } from '../language/messages.js'
import { BRAND_NAMES, type SavedCard } from '../order/card-summary.js'
import { LockIcon } from '../page/icon.js'
import type { OwnedCard } from '../session/session.js'
import { NEW_CARD } from './checkout-form.js'
import { FormField, describedBy } from './form-field.js'
import { singlePayment } from './installment-options.js'

interface CardFieldsProps {
  readonly savedCards: readonly OwnedCard[]
  readonly totalCentavos: Centavos
  readonly language: Language
  readonly messages: Messages
}

/** Which card pays: a saved one, or one that the script turns into a token. */
export function CardFields({ savedCards, totalCentavos, language, messages }: CardFieldsProps) {
  const { checkout } = messages
  const { quantity, label } = singlePayment(totalCentavos, language, messages)
  return (
    <div id="card-payment">
      <p class="hint">{checkout.paymentHint}</p>
      <p class="security-note">
        <LockIcon />
        {messages.shop.securityNote}
      </p>
      <noscript>
        <p class="problem">{checkout.needsScript}</p>
      </noscript>
      {savedCards.length > 0 && <CardChoice savedCards={savedCards} messages={messages} />}
      <NewCard messages={messages} />
      <div class="fields">
        <FormField id="installments" label={checkout.installments} hint={checkout.installmentsHint}>
          <select
            id="installments"
            name="installments"
            autocomplete="off"
            aria-describedby={describedBy('installments', checkout.installmentsHint)}
          >
            <option value={String(quantity)}>{label}</option>
          </select>
        </FormField>
      </div>
    </div>
  )
}

function CardChoice({ savedCards, messages }: Pick<CardFieldsProps, 'savedCards' | 'messages'>) {
  const { checkout } = messages
  return (
    <div class="choices" role="radiogroup" aria-label={checkout.chooseCard}>
      {savedCards.map(({ email, card }, index) => (
        <label class="choice">
          <input
            type="radio"
            name="payment-code"
            value={card.code}
            checked={index === 0}
            data-brand={card.brand}
            autocomplete="off"
          />
          <span>
            {checkout.savedCard(BRAND_NAMES[card.brand], card.lastFour)}
            <small>{checkout.savedCardHint(writtenExpiry(card), email)}</small>
          </span>
        </label>
      ))}
      <label class="choice">
        <input type="radio" name="payment-code" value={NEW_CARD} autocomplete="off" />
        <span>{checkout.newCard}</span>
      </label>
    </div>
  )
}

/** `2030-12` as it is printed on a card: `12/2030`. */
function writtenExpiry({ expirationDate }: SavedCard): string {
  return expirationDate.split('-').reverse().join('/')
}

/** The inputs of the card have no name: a form that is posted without the script cannot carry them. */
function NewCard({ messages }: Pick<CardFieldsProps, 'messages'>) {
  const { checkout } = messages
  return (
    <div id="new-card" class="fields">
      <CardField id="card-number" maxlength={23} width="full" messages={messages}>
        cc-number
      </CardField>
      <CardField id="card-expiry" maxlength={7} width="half" messages={messages}>
        cc-exp
      </CardField>
      <CardField id="card-cvv" maxlength={4} width="half" messages={messages}>
        cc-csc
      </CardField>
      <label class="choice full">
        <input type="checkbox" name="save" value="yes" autocomplete="off" />
        <span>
          {checkout.saveCard}
          <small>{checkout.saveCardHint}</small>
        </span>
      </label>
    </div>
  )
}

interface CardFieldProps {
  readonly id: CardInput
  readonly maxlength: number
  readonly width: 'full' | 'half'
  readonly messages: Messages
  /** The input's autocomplete. */
  readonly children: string
}

function CardField({ id, maxlength, width, messages, children }: CardFieldProps) {
  const { cardFields, cardHints } = messages.checkout
  return (
    <FormField id={id} label={cardFields[id]} hint={cardHints[id]} width={width}>
      <span class="card-input">
        <input
          id={id}
          type="text"
          inputmode="numeric"
          autocomplete={children}
          maxlength={maxlength}
          spellcheck={false}
          aria-describedby={describedBy(id, cardHints[id])}
        />
        {id === 'card-number' && (
          <output id="brand-hint" class="brand-hint" for={id} data-testid="card-brand" hidden />
        )}
      </span>
    </FormField>
  )
}
