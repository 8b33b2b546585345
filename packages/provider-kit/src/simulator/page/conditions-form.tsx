import { Choice } from './choice.js'
import { type PageView, PostForm } from './view.js'

interface ConditionsFormProps {
  readonly view: PageView
  readonly texts: Readonly<Record<'title' | 'apply', string>>
  /** True if nothing differs from the defaults; then the form is closed. */
  readonly isCalm: boolean
  readonly choices: readonly Parameters<typeof Choice>[0][]
}

/** A form that changes the provider's behaviour. */
export function ConditionsForm({ view, texts, isCalm, choices }: ConditionsFormProps) {
  return (
    <details class="card" open={!isCalm}>
      <summary>{texts.title}</summary>
      <PostForm view={view} action="/conditions">
        {choices.map((choice) => (
          <Choice {...choice} />
        ))}
        <button>{texts.apply}</button>
      </PostForm>
    </details>
  )
}
