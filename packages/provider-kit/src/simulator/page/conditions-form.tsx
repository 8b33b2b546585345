import { Choice } from './choice.js'
import { type PageView, PostForm } from './view.js'

interface ConditionsFormProps {
  readonly view: PageView
  readonly texts: Readonly<Record<'title' | 'apply', string>>
  /** Everything is as at first: nobody needs to see it. */
  readonly isCalm: boolean
  readonly choices: readonly Parameters<typeof Choice>[0][]
}

/** How the provider behaves, for a person to choose. */
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
