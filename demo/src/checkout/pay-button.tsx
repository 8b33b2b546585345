import { type Centavos, formatCentavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import type { PaymentKind } from '../order/order-payment.js'
import { LockIcon } from '../page/icon.js'

interface PayButtonProps {
  readonly totalCentavos: Centavos
  readonly language: Language
  readonly messages: Messages
}

const KINDS: readonly PaymentKind[] = ['card', 'pix', 'boleto', 'wallet']

/** The script enables the button, so that no card is posted before it listens; without script there is another one. */
export function PayButton(props: PayButtonProps) {
  return (
    <>
      <button class="button wide pay needs-script" type="submit" disabled data-testid="pay">
        <Label {...props} />
      </button>
      <noscript>
        <button class="button wide pay" type="submit">
          <Label {...props} />
        </button>
      </noscript>
    </>
  )
}

/** What the button does, said for each method; the stylesheet shows the chosen one. */
function Label({ totalCentavos, language, messages }: PayButtonProps) {
  const total = formatCentavos(totalCentavos, language)
  return (
    <>
      <LockIcon />
      {KINDS.map((kind) => (
        <span class={`for-${kind}`}>{messages.checkout.pay[kind](total)}</span>
      ))}
    </>
  )
}
