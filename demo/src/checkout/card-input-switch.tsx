import type { CardInput } from '../model/session.js'
import { useView } from '../page/view.js'

const CARD_INPUTS = ['own', 'hosted'] as const satisfies readonly CardInput[]

/** A choice that a real shop makes once: where its customers type their cards. */
export function CardInputSwitch({ cardInput }: { readonly cardInput: CardInput }) {
  const { title, hint, choices } = useView().texts.checkout.cardInput
  return (
    <section class="demo-hint needs-script" aria-labelledby="card-input-title">
      <h3 id="card-input-title">{title}</h3>
      <p id="card-input-hint">{hint[cardInput]}</p>
      <input type="hidden" id="card-input" name="card-input" value={cardInput} />
      <div class="actions" role="group" aria-labelledby="card-input-title">
        {CARD_INPUTS.map((choice) => (
          <button
            class="quiet"
            type="button"
            disabled
            data-card-input={choice}
            aria-pressed={choice === cardInput ? 'true' : 'false'}
            aria-describedby="card-input-hint"
          >
            {choices[choice]}
          </button>
        ))}
      </div>
    </section>
  )
}
