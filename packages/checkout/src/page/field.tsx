import type { JSX, PropsWithChildren } from 'hono/jsx'

type InputAttributes = JSX.IntrinsicElements['input']

type FieldProps = Omit<InputAttributes, 'width' | 'id' | 'value'> & {
  /** Identifier of the input; those of hint and error derive from it. */
  readonly id: string
  readonly label: string
  /** Beside the label of a field that may be left empty. */
  readonly note?: string | undefined
  readonly value?: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** `full`, `wide`, `half` or `narrow`. */
  readonly width?: string
  /** Texts by value, for a field that chooses one of them. */
  readonly options?: Readonly<Record<string, string>> | undefined
}

/** A label, its input, and below it the hint and the error, which belong to the input. */
export function FormField(props: FieldProps) {
  const { label, note, hint, error, width = 'full', options, value, ...attributes } = props
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
  readonly hint: string
}

/** A radio button in a box of its own. */
export function Choice({ input, hint, children }: PropsWithChildren<ChoiceProps>) {
  return (
    <label class="choice">
      {/* Browsers restore a choice after a reload, and the page would show another. */}
      <input type="radio" autocomplete="off" {...input} />
      <span>
        {children}
        <small>{hint}</small>
      </span>
    </label>
  )
}
