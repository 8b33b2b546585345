import { FormField, fill } from '@cofre/pages'
import type { ShownLink } from '../../model/payment-page.js'
import { assets, useView } from '../frame/view.js'

/** The vault's script, which embeds a card's fields in a frame of the vault. */
export interface CardFieldsLibrary {
  /** Origin of script and frame. */
  readonly vaultUrl: string
  readonly scriptUrl: string
  readonly integrity: string
  /** The name of its global. */
  readonly global: string
}

/** Runs only if it is the expected file (PCI DSS 6.4.3). */
export function PayScripts(props: {
  readonly link: ShownLink
  readonly cardFields: CardFieldsLibrary
}) {
  const { scriptUrl, integrity } = props.cardFields
  return (
    <>
      {props.link.methods.includes('credit-card') && (
        <script
          id="card-library"
          src={scriptUrl}
          integrity={integrity}
          crossorigin="anonymous"
          async
        />
      )}
      <script type="module" src={assets.urlOf('pay.js')} />
    </>
  )
}

interface CardPartProps {
  readonly link: ShownLink
  readonly installments: number
}

/** The card: the vault's frame, which the script opens, and its installments. */
export function CardPart({ link, installments }: CardPartProps) {
  const { form, page } = useView().texts
  const isOnly = link.methods.length === 1
  return (
    <fieldset class="card for-card" data-testid="card">
      <legend>{form.card}</legend>
      <noscript>
        <p class="problem">{isOnly ? form.needsScriptOnly : form.needsScript}</p>
      </noscript>
      <div class="stack needs-script">
        <div id="card-fields"></div>
        <p class="hint">{page.cardSafety}</p>
        <div id="installment-prices">
          <Installments link={link} installments={installments} />
        </div>
      </div>
      <input type="hidden" name="token" autocomplete="off" />
    </fieldset>
  )
}

function Installments({ link, installments }: CardPartProps) {
  const { texts, money } = useView()
  const { form } = texts
  if (link.installments.length < 2) return <input type="hidden" name="installments" value="1" />
  const options = Object.fromEntries(
    link.installments.map(({ quantity, totalMinor, installmentMinor, interestFree }) => {
      const terms = { count: quantity, amount: money(installmentMinor), total: money(totalMinor) }
      if (quantity === 1) return [quantity, fill(form.oneInstallment, terms)]
      return [quantity, fill(interestFree ? form.freeInstallments : form.manyInstallments, terms)]
    }),
  )
  const prices = link.installments.map(({ totalMinor }) => totalMinor).join(',')
  return (
    <>
      <input type="hidden" name="prices" value={prices} autocomplete="off" />
      <FormField
        id="installments"
        name="installments"
        label={form.installments}
        autocomplete="off"
        value={String(installments)}
        options={options}
      />
    </>
  )
}
