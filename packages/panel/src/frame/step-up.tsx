import { Secret } from '@cofre/contracts'
import { ownPath } from '@cofre/pages'
import { type OpenedSession, hashSessionId } from '@cofre/people'
import { originOf } from './page-act.js'
import type { PanelParts } from './panel-parts.js'
import { renderPage } from './render-page.js'
import {
  type Form,
  type PanelContext,
  forgetSessions,
  rememberPerson,
  useView,
  viewOf,
} from './visit.js'

const CODE_FIELD = 'step-up-code'
const CODE_LENGTH_MAX = 32

/**
 * Asks a person for a proof where the last one is older than five minutes. The page carries the
 * form's fields along and posts them again to the same address: nothing is kept on the server.
 * Undefined when the action may go on.
 */
export async function stepUp(
  parts: PanelParts,
  c: PanelContext,
  form: Form,
): Promise<Response | undefined> {
  const { signedIn } = c.var
  if (signedIn?.kind !== 'person') return undefined
  if (signedIn.session.steppedUpUntilMs > parts.clock.now()) return undefined
  const code = form.get(CODE_FIELD)
  if (code === undefined) return renderStepUp(parts, c, { form, isWrong: false })
  const proof = { code: new Secret(code) }
  const result = await parts.people?.stepUp(signedIn.session, proof, originOf(c, parts))
  if (result === undefined || result === 'refused')
    return renderStepUp(parts, c, { form, isWrong: true })
  if (result === 'ended') {
    forgetSessions(c, parts)
    return c.redirect('/sign-in?expired=1', 303)
  }
  continueSession(c, parts, result)
  return undefined
}

/** The session of whoever is signed in goes on under another id, on this page, too. */
export function continueSession(
  c: PanelContext,
  parts: PanelParts,
  { sessionId }: OpenedSession,
): void {
  const { signedIn } = c.var
  if (signedIn?.kind !== 'person') return
  const session = { ...signedIn.session, idHash: hashSessionId(sessionId) }
  c.set('signedIn', { ...signedIn, session })
  c.set('cookieId', sessionId)
  rememberPerson(c, parts, sessionId)
}

interface StepUpProps {
  readonly form: Form
  readonly isWrong: boolean
}

function renderStepUp(parts: PanelParts, c: PanelContext, shown: StepUpProps) {
  const { title } = viewOf(c).texts.stepUp
  const status = shown.isWrong ? 403 : 200
  const body = <StepUp {...shown} action={c.req.path} />
  return renderPage(c, parts, { title, body, status, still: true })
}

/** The fields that belong to a page, not to what it asks for. */
const PAGE_FIELDS = ['csrf', CODE_FIELD]

function StepUp({ form, isWrong, action }: StepUpProps & { readonly action: string }) {
  const { csrfToken, texts: all } = useView()
  const texts = all.stepUp
  const carried = [...form].filter(([name]) => !PAGE_FIELDS.includes(name))
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      {isWrong && (
        <p class="flash bad" role="alert" id="problem">
          {texts.wrong}
        </p>
      )}
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrfToken} />
        {carried.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <label>
          {texts.code}
          <input
            name={CODE_FIELD}
            required
            autocomplete="one-time-code"
            autocapitalize="none"
            spellcheck={false}
            maxlength={CODE_LENGTH_MAX}
            aria-describedby={isWrong ? 'problem' : undefined}
          />
        </label>
        <button>{texts.confirm}</button>
      </form>
      <p>
        <a href={ownPath(form.get('here') ?? '/')}>{texts.cancel}</a>
      </p>
    </section>
  )
}
