import type { Messages } from '../language/messages.js'

interface CopyFieldProps {
  readonly id: string
  readonly label: string
  readonly text: string
  /** What is copied, where it is not the text as it is shown. */
  readonly copied?: string
  readonly messages: Messages
}

/** A text to take elsewhere; without script it is selected and copied by hand. */
export function CopyField({ id, label, text, copied = text, messages }: CopyFieldProps) {
  const { copy } = messages.order
  return (
    <div class="copy-field">
      <label for={id}>{label}</label>
      <textarea id={id} readonly rows={4} spellcheck={false} autocomplete="off" data-testid={id}>
        {text}
      </textarea>
      <button
        class="button secondary small needs-script"
        type="button"
        data-copy={copied}
        data-copied={copy.done}
        data-field={id}
        aria-describedby={`${id}-copied`}
      >
        {copy.button}
      </button>
      <span id={`${id}-copied`} class="copied" role="status"></span>
    </div>
  )
}
