import type { Child, JSX, PropsWithChildren } from 'hono/jsx'

interface FieldProps {
  /** Identifier of the input; those of hint and error derive from it. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** `full`, `wide`, `half` or `narrow`. */
  readonly width?: string
}

/** A label, its input, its hint and its error, which {@link describing} ties to the input. */
export function FormField(props: PropsWithChildren<FieldProps>) {
  const { id, label, hint, error, width = 'full', children } = props
  return (
    <div class={`field ${width}`}>
      <label for={id}>{label}</label>
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

/** The input's attributes that belong to its field. */
export function describing({ id, hint, error }: Pick<FieldProps, 'id' | 'hint' | 'error'>) {
  return {
    id,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    'aria-describedby': hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`,
  }
}

interface ChoiceProps {
  readonly input: JSX.IntrinsicElements['input']
  readonly hint?: string
  readonly icon?: Child
}

/** A radio button or check box in a box of its own. */
export function Choice({ input, hint, icon, children }: PropsWithChildren<ChoiceProps>) {
  return (
    <label class="choice">
      {/* Browsers restore a choice after a reload, and the page would show another. */}
      <input type="radio" autocomplete="off" {...input} />
      <span>
        {children}
        {hint !== undefined && <small>{hint}</small>}
      </span>
      {icon}
    </label>
  )
}
