import type { PropsWithChildren } from 'hono/jsx'

interface FormFieldProps {
  /** Identifier of the input; those of hint and error derive from it. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly width?: FieldWidth
}

export type FieldWidth = 'full' | 'wide' | 'half' | 'narrow'

/** A label, its input, its hint and its error, which {@link describing} ties to the input. */
export function FormField(props: PropsWithChildren<FormFieldProps>) {
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
export function describing({ id, hint, error }: Pick<FormFieldProps, 'id' | 'hint' | 'error'>) {
  return {
    id,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    'aria-describedby': hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`,
  }
}
