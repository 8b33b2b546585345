import type { Child, JSX, PropsWithChildren } from 'hono/jsx'

type InputAttributes = JSX.IntrinsicElements['input']

type FieldProps = Omit<InputAttributes, 'width' | 'id' | 'value'> & {
  /** Identifier of the input; those of hint and error derive from it. */
  readonly id: string
  readonly label: string
  /** Shown beside the label of an optional field. */
  readonly note?: string | undefined
  readonly value?: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** `full`, `wide`, `half` or `narrow`. */
  readonly width?: string
  /** Texts by value; makes the field a select. */
  readonly options?: Readonly<Record<string, string>> | undefined
}

/** A label, its input, and below it the hint and the error that describe the input. */
export function FormField(props: PropsWithChildren<FieldProps>) {
  const {
    label,
    note,
    hint,
    error,
    width = 'full',
    options,
    value,
    children,
    ...attributes
  } = props
  const { id } = attributes
  const input = {
    ...attributes,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    'aria-describedby': hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`,
  }
  return (
    <div class={`field ${width}`}>
      <label for={id}>
        {label}
        {note !== undefined && <span class="minor"> ({note})</span>}
      </label>
      {options === undefined ? (
        <input {...input} value={value} />
      ) : (
        <select {...input}>
          {Object.entries(options).map(([option, text]) => (
            <option value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      )}
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="field-error" id={`${id}-error`} hidden={error === undefined}>
        {error}
      </p>
    </div>
  )
}

interface ChoiceProps {
  readonly input: InputAttributes
  readonly hint?: string
  readonly icon?: Child
}

/** A radio button or check box in a box of its own. */
export function Choice({ input, hint, icon, children }: PropsWithChildren<ChoiceProps>) {
  return (
    <label class="choice">
      {/* Browsers restore a choice after a reload, which may differ from the page's. */}
      <input type="radio" autocomplete="off" {...input} />
      <span>
        {children}
        {hint !== undefined && <small>{hint}</small>}
      </span>
      {icon}
    </label>
  )
}

interface CopyFieldProps {
  readonly id: string
  readonly label: string
  /** Texts of the button, before and after copying. */
  readonly copy: { readonly button: string; readonly done: string }
  /** The text to copy, if it differs from the shown one. */
  readonly copied?: string
}

/** A text to copy. Without a script, the reader selects and copies it. */
export function CopyField(props: PropsWithChildren<CopyFieldProps>) {
  const { id, label, copy, copied, children } = props
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} readonly rows={4} spellcheck={false} autocomplete="off" data-testid={id}>
        {children}
      </textarea>
      <button type="button" class="quiet" data-copy={id} data-text={copied} data-copied={copy.done}>
        <span aria-live="polite">{copy.button}</span>
      </button>
    </div>
  )
}
