import type { PropsWithChildren } from 'hono/jsx'

interface FormFieldProps {
  /** Identifier of the input; hint and error derive theirs from it. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly width?: 'full' | 'wide' | 'half' | 'narrow'
}

/** A label, its input and what there is to say about it. */
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

/** The identifiers of what describes an input. */
export function describedBy(id: string, hint: string | undefined): string {
  return hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`
}
