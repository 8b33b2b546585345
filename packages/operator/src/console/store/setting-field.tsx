import type { Child } from 'hono/jsx'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly problem?: string | undefined
  /** Renders the input with the attributes that connect it to its label, hint and problem. */
  readonly children: (described: DescribedInput) => Child
}

interface DescribedInput {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string
  readonly 'aria-invalid': 'true' | undefined
}

/** An input with its hint and problem. */
export function Field({ name, label, hint, problem, children }: FieldProps) {
  const notes = problem === undefined ? `${name}-hint` : `${name}-hint ${name}-problem`
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children({
        id: name,
        name,
        'aria-describedby': notes,
        'aria-invalid': problem === undefined ? undefined : 'true',
      })}
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
      {problem !== undefined && (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

interface ProblemsProps<Name extends string> {
  readonly intro: string
  readonly labels: Readonly<Record<Name, string>>
  readonly problems: ReadonlyMap<Name, string>
}

/** Lists all problems, each a link to its field. */
export function Problems<Name extends string>({ intro, labels, problems }: ProblemsProps<Name>) {
  if (problems.size === 0) return null
  return (
    <div class="flash bad" role="alert" tabindex={-1} autofocus>
      <p>
        <strong>{intro}</strong>
      </p>
      <ul>
        {[...problems].map(([name, text]) => (
          <li>
            <a href={`#${name}`}>{labels[name]}</a>: {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
