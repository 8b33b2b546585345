import { MINUTE_MS } from '@cofre/contracts'
import { formatDuration } from '../language/format.js'
import { PostForm } from '../page/post-form.js'
import type { View } from '../panel-context.js'
import { signInMessages } from './sign-in-messages.js'

/** Why somebody has to sign in (again). */
export type SignInProblem =
  { readonly kind: 'expired' | 'wrong' } | { readonly kind: 'locked'; readonly waitMs: number }

interface SignInPageProps {
  readonly view: View
  /** Where to go afterwards: a path of the panel. */
  readonly to: string
  readonly storeId: string
  readonly problem: SignInProblem | undefined
}

export function SignInPage({ view, to, storeId, problem }: SignInPageProps) {
  const texts = signInMessages[view.language]
  return (
    <section class="card sign-in">
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      {problem !== undefined && (
        <p class={`flash ${problem.kind === 'expired' ? 'good' : 'bad'}`} role="alert" id="problem">
          {problemText(problem, view)}
        </p>
      )}
      <PostForm view={view} action="/sign-in">
        <input type="hidden" name="to" value={to} />
        <label>
          {texts.storeId}
          <input
            name="store-id"
            value={storeId}
            required
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            maxlength={64}
          />
        </label>
        <label>
          {texts.secret}
          <input
            name="secret"
            type="password"
            required
            autocomplete="current-password"
            maxlength={512}
            aria-describedby={problem?.kind === 'wrong' ? 'problem' : undefined}
          />
        </label>
        <button>{texts.button}</button>
      </PostForm>
      <p class="hint">{texts.where}</p>
    </section>
  )
}

function problemText(problem: SignInProblem, { language }: View): string {
  const texts = signInMessages[language]
  switch (problem.kind) {
    case 'expired':
      return texts.expired
    case 'wrong':
      return texts.wrong
    case 'locked': {
      const minutesMs = Math.ceil(problem.waitMs / MINUTE_MS) * MINUTE_MS
      return texts.locked(formatDuration(minutesMs, language))
    }
  }
}
