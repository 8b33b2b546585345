import type { Centavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages, Notice } from '../language/messages.js'
import { type PaymentKind, walletName } from '../order/order-payment.js'
import { MethodIcon } from '../page/icon.js'
import type { OwnedCard } from '../session/session.js'
import { CardFields } from './card-fields.js'
import { type Method, PLAIN_METHODS, methodValue } from './checkout-form.js'

interface PaymentFieldsProps {
  readonly method: Method
  readonly wallets: readonly string[]
  readonly savedCards: readonly OwnedCard[]
  readonly totalCentavos: Centavos
  readonly language: Language
  readonly messages: Messages
}

/** How to pay. What a card needs is shown while a card is chosen, by the stylesheet: all but the card works without script. */
export function PaymentFields(props: PaymentFieldsProps) {
  const { method, wallets, messages } = props
  const { checkout } = messages
  return (
    <fieldset class="card">
      <legend>{checkout.payment}</legend>
      <div class="choices methods" role="radiogroup" aria-label={checkout.chooseMethod}>
        {PLAIN_METHODS.map((kind) => (
          <MethodChoice
            value={kind}
            kind={kind}
            notice={checkout.methods[kind]}
            isChosen={method === kind}
          />
        ))}
        {wallets.map((wallet) => (
          <MethodChoice
            value={wallet}
            kind="wallet"
            notice={checkout.walletMethod(walletName(wallet))}
            isChosen={methodValue(method) === wallet}
          />
        ))}
      </div>
      <CardFields {...props} />
    </fieldset>
  )
}

interface MethodChoiceProps {
  readonly value: string
  readonly kind: PaymentKind
  readonly notice: Notice
  readonly isChosen: boolean
}

function MethodChoice({ value, kind, notice, isChosen }: MethodChoiceProps) {
  return (
    <label class="choice">
      <input
        type="radio"
        name="method"
        value={value}
        checked={isChosen}
        data-kind={kind}
        autocomplete="off"
      />
      <span>
        {notice.title}
        <small>{notice.text}</small>
      </span>
      <MethodIcon kind={kind} />
    </label>
  )
}
