import { Secret } from '@cofre/contracts'
import { ownPath } from '@cofre/pages'
import { type OpenedSession, type StepUpProof, hashSessionId } from '@cofre/people'
import { Hono } from 'hono'
import { OpenCommand } from './open-command.js'
import { originOf } from './page-act.js'
import type { PanelParts } from '../visit/panel-parts.js'
import { PasskeyForm } from './passkey-form.js'
import {
  type PasskeyParts,
  boundTo,
  passkeyPartsOf,
  passkeyUseOf,
  requestOptions,
} from './passkeys.js'
import { renderPage } from './render-page.js'
import {
  type Form,
  type PanelContext,
  type PanelEnv,
  forgetSessions,
  rememberPerson,
  useView,
  viewOf,
} from '../visit/visit.js'

const CODE_FIELD = 'step-up-code'
const PASSKEY_FIELD = 'step-up-passkey'
/** Set if the person has opened a confirming link, or believes so. */
const LINK_FIELD = 'step-up-link'
const CODE_LENGTH_MAX = 32

/**
 * Asks a person for a proof if the last one is older than five minutes. The page repeats the form's
 * fields and posts them again to the same address, so the server stores nothing. Undefined if the
 * action may continue.
 */
export async function stepUp(
  parts: PanelParts,
  c: PanelContext,
  form: Form,
): Promise<Response | undefined> {
  const { signedIn } = c.var
  if (signedIn?.kind !== 'person') return undefined
  if (signedIn.session.steppedUpUntilMs > parts.clock.now()) return undefined
  const isTried = [CODE_FIELD, PASSKEY_FIELD, LINK_FIELD].some((field) => form.has(field))
  const proof = await proofOf(c, parts, form)
  const result = proof && (await parts.people?.stepUp(signedIn.session, proof, originOf(c, parts)))
  if (result === undefined || result === 'refused') {
    const { personId } = signedIn.session
    const held = (await passkeyPartsOf(parts)?.people.own.passkeys(personId)) ?? []
    const hasPasskeys = held.length > 0
    const openCommand = hasPasskeys ? undefined : await openCommandFor(parts, personId)
    return renderStepUp(parts, c, { form, isWrong: isTried, hasPasskeys, openCommand })
  }
  if (result === 'ended') {
    forgetSessions(c, parts)
    return c.redirect('/sign-in?expired=1', 303)
  }
  continueSession(c, parts, result)
  return undefined
}

/** For the demo store's owner, until it has a password or a passkey. */
async function openCommandFor(
  { openCommand, people }: PanelParts,
  personId: string,
): Promise<string | undefined> {
  if (openCommand === undefined || (await people?.own.hasPassword(personId))) return undefined
  return openCommand
}

async function proofOf(
  c: PanelContext,
  parts: PanelParts,
  form: Form,
): Promise<StepUpProof | undefined> {
  const code = form.get(CODE_FIELD)
  if (code !== undefined) return { code: new Secret(code) }
  const json = form.get(PASSKEY_FIELD)
  const passkeys = passkeyPartsOf(parts)
  if (json === undefined || passkeys === undefined) return undefined
  const use = await passkeyUseOf(passkeys, boundTo(c, 'step-up'), json)
  return use && { passkey: use }
}

/** Options of the passkey that confirms an action. */
export function stepUpRoutes(passkeys: PasskeyParts): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.post('/step-up/passkey/options', async (c) => {
    const { signedIn } = c.var
    if (signedIn?.kind !== 'person') return c.notFound()
    const held = await passkeys.people.own.passkeys(signedIn.session.personId)
    return c.json(await requestOptions(passkeys, boundTo(c, 'step-up'), held))
  })
  return app
}

/** Continues the current session under another id, also on this page. */
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
  readonly hasPasskeys: boolean
  /** The command for a confirming link, if there is no other way. */
  readonly openCommand: string | undefined
}

function renderStepUp(parts: PanelParts, c: PanelContext, shown: StepUpProps) {
  const { title } = viewOf(c).texts.stepUp
  const status = shown.isWrong ? 403 : 200
  const body = <StepUp {...shown} action={c.req.path} />
  return renderPage(c, parts, { title, body, status, still: true })
}

/** Fields of the page itself, and secrets to type again: no page repeats them. */
const PAGE_FIELDS = ['csrf', CODE_FIELD, PASSKEY_FIELD, LINK_FIELD, 'password', 'code']

function StepUp(props: StepUpProps & { readonly action: string }) {
  const { form, isWrong, action, hasPasskeys, openCommand } = props
  const { csrfToken, texts: all } = useView()
  const { demo, passkeys, stepUp: texts } = all
  const carried = [...form]
    .filter(([name]) => !PAGE_FIELDS.includes(name))
    .map(([name, value]) => <input type="hidden" name={name} value={value} />)
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      {isWrong && (
        <p class="flash bad" role="alert" id="problem">
          {openCommand === undefined ? texts.wrong : demo.notConfirmed}
        </p>
      )}
      {hasPasskeys && (
        <PasskeyForm
          kind="get"
          action={action}
          options="/step-up/passkey/options"
          field={PASSKEY_FIELD}
          button={passkeys.confirm}
        >
          {carried}
        </PasskeyForm>
      )}
      {openCommand !== undefined && <OpenCommand command={openCommand} text={demo.confirm} />}
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrfToken} />
        {carried}
        {openCommand === undefined ? (
          <CodeInput label={texts.code} isWrong={isWrong} />
        ) : (
          <input type="hidden" name={LINK_FIELD} value="opened" />
        )}
        <button>{openCommand === undefined ? texts.confirm : demo.goOn}</button>
      </form>
      {openCommand !== undefined && <p class="hint">{demo.orCredentials}</p>}
      <p>
        <a href={ownPath(form.get('here') ?? '/')}>{texts.cancel}</a>
      </p>
    </section>
  )
}

function CodeInput({ label, isWrong }: { readonly label: string; readonly isWrong: boolean }) {
  return (
    <label>
      {label}
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
  )
}
