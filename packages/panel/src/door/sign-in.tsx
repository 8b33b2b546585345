import { MINUTE_MS, SECOND_MS, Secret } from '@cofre/contracts'
import { fill, ownPath, readForm } from '@cofre/pages'
import { type OpenedSession, hashSessionId } from '@cofre/people'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { setFlash } from '../frame/flash.js'
import { signInPath } from '../frame/console-pages.js'
import { originOf } from '../frame/page-act.js'
import type { ConsolePeople, PanelParts } from '../visit/panel-parts.js'
import { OpenCommand } from '../frame/open-command.js'
import { PasskeyForm } from '../frame/passkey-form.js'
import {
  type PasskeyParts,
  boundTo,
  passkeyPartsOf,
  passkeyUseOf,
  requestOptions,
} from '../frame/passkeys.js'
import { PostForm } from '../part/parts.js'
import { renderPage } from '../frame/render-page.js'
import {
  type PanelContext,
  type PanelEnv,
  forgetSessions,
  rememberPerson,
  useView,
  viewOf,
  useTexts,
} from '../visit/visit.js'
import { formatDuration } from '../visit/format.js'
import { CodeField, EmailField, PasswordField } from './fields.js'
import { DOOR_TEXTS } from './texts.js'
import { FRAME_TEXTS } from '../visit/texts.js'

/** The sign-in of people. It is a single form, so that all failures look the same. */
export function signInRoutes(parts: PanelParts, people: ConsolePeople): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  const passkeys = passkeyPartsOf(parts)
  if (passkeys !== undefined) app.route('/', passkeySignInRoutes(parts, passkeys))

  app.get('/sign-in', async (c) => {
    const to = ownPath(c.req.query('to') ?? '/')
    if (c.var.signedIn !== undefined) return c.redirect(to, 303)
    const { expired } = FRAME_TEXTS[c.var.language].frame
    const problem = c.req.query('expired') === '1' ? expired : undefined
    return await renderSignIn(c, parts, { to, email: '', problem, status: 200 })
  })

  app.post('/sign-in', async (c) => {
    const form = await readForm(c)
    const secret = (name: string) => new Secret(form.get(name) ?? '')
    const to = ownPath(form.get('to') ?? '/')
    const email = (form.get('email') ?? '').trim()
    const { language } = c.var
    const texts = DOOR_TEXTS[language].door
    const attempt = { email, password: secret('password'), code: secret('code') }
    const result = await people.signIn({ ...attempt, from: originOf(c, parts) })
    const again = (problem: string, status: ContentfulStatusCode) =>
      renderSignIn(c, parts, { to, email, problem, status })
    if (result === 'refused') return again(texts.wrong, 401)
    if (result === 'busy') return again(texts.busy, 503)
    if ('waitMs' in result) {
      c.header('Retry-After', String(Math.ceil(result.waitMs / SECOND_MS)))
      const minutesMs = Math.ceil(result.waitMs / MINUTE_MS) * MINUTE_MS
      return again(fill(texts.locked, { duration: formatDuration(minutesMs, language) }), 429)
    }
    return await enter(c, parts, { people, opened: result, to, email })
  })
  return app
}

/** A passkey proves both factors, and identifies its holder. */
function passkeySignInRoutes(parts: PanelParts, passkeys: PasskeyParts): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()

  app.post('/sign-in/passkey/options', async (c) =>
    c.json(await requestOptions(passkeys, boundTo(c, 'sign-in'))),
  )

  // Only a form leads to this address.
  app.get('/sign-in/passkey', (c) => c.redirect('/sign-in', 303))

  app.post('/sign-in/passkey', async (c) => {
    const form = await readForm(c)
    const to = ownPath(form.get('to') ?? '/')
    const use = await passkeyUseOf(passkeys, boundTo(c, 'sign-in'), form.get('passkey') ?? '')
    const result = use && (await passkeys.people.signInWithPasskey(use, originOf(c, parts)))
    if (result === undefined || result === 'refused') {
      const problem = viewOf(c).texts.passkeys.refused
      return renderSignIn(c, parts, { to, email: '', problem, status: 401 })
    }
    const { people } = passkeys
    return await enter(c, parts, { people, opened: result, to, email: '' })
  })
  return app
}

interface Entering extends Pick<SignInPage, 'to' | 'email'> {
  readonly people: ConsolePeople
  readonly opened: OpenedSession
}

/** A person without a store gets an explanation: the session would end on the next page. */
async function enter(c: PanelContext, parts: PanelParts, entering: Entering): Promise<Response> {
  const { people, opened, to, email } = entering
  const { sessionId } = opened
  if ((await people.find(hashSessionId(sessionId), undefined)) === undefined) {
    const problem = DOOR_TEXTS[c.var.language].door.noStore
    return await renderSignIn(c, parts, { to, email, problem, status: 403 })
  }
  await endSession(c, parts)
  rememberPerson(c, parts, sessionId)
  return c.redirect(to, 303)
}

/** The sign-out, also from a session opened with a store's secret. */
export function signOutRoutes(parts: PanelParts): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.post('/sign-out', async (c) => {
    const wasDeveloper = c.var.signedIn?.kind === 'store-secret'
    await endSession(c, parts)
    setFlash(c, parts, 'signed-out')
    return c.redirect(wasDeveloper ? '/sign-in/sandbox' : signInPath(parts), 303)
  })
  return app
}

/** Ends the current session. */
export async function endSession(c: PanelContext, parts: PanelParts): Promise<void> {
  const { signedIn } = c.var
  if (signedIn?.kind === 'person') await parts.people?.signOut(signedIn.session)
  if (signedIn?.kind === 'store-secret')
    await parts.environments.sandbox?.storeSessions.end(signedIn.session.idHash)
  forgetSessions(c, parts)
}

interface SignInPage {
  /** The console path to open afterwards. */
  readonly to: string
  readonly email: string
  /** Why the person has to sign in (again). */
  readonly problem: string | undefined
  readonly status: ContentfulStatusCode
}

function renderSignIn(c: PanelContext, parts: PanelParts, { status, ...shown }: SignInPage) {
  const { title } = DOOR_TEXTS[c.var.language].door
  const hasSandbox = parts.environments.sandbox !== undefined
  const hasPasskeys = passkeyPartsOf(parts) !== undefined
  const { openCommand } = parts
  const offers = { hasSandbox, hasPasskeys, openCommand }
  const body = <SignIn {...shown} isRefused={status !== 200} {...offers} />
  return renderPage(c, parts, { title, body, status })
}

interface SignInProps extends Omit<SignInPage, 'status'> {
  readonly isRefused: boolean
  readonly hasSandbox: boolean
  readonly hasPasskeys: boolean
  /** The command for a sign-in link of the demo store's owner. */
  readonly openCommand: string | undefined
}

function SignIn(props: SignInProps) {
  const { to, email, problem, isRefused, hasSandbox, hasPasskeys, openCommand } = props
  const texts = useTexts(DOOR_TEXTS).door
  const { demo, passkeys } = useView().texts
  const describedBy = isRefused ? 'problem' : undefined
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      {problem !== undefined && (
        <p class={`flash ${isRefused ? 'bad' : 'good'}`} role="alert" id="problem">
          {problem}
        </p>
      )}
      {openCommand !== undefined && <OpenCommand command={openCommand} text={demo.signIn} />}
      {hasPasskeys && (
        <PasskeyForm
          kind="get"
          action="/sign-in/passkey"
          options="/sign-in/passkey/options"
          button={passkeys.signIn}
        >
          <input type="hidden" name="to" value={to} />
        </PasskeyForm>
      )}
      <PostForm action="/sign-in">
        <input type="hidden" name="to" value={to} />
        <EmailField value={email} describedBy={describedBy} />
        <PasswordField describedBy={describedBy} />
        <CodeField label={texts.code} describedBy={describedBy} />
        <button>{texts.title}</button>
      </PostForm>
      <p>
        <a href="/forgot">{texts.forgot}</a>
      </p>
      <p class="hint">{texts.session}</p>
      {hasSandbox && (
        <p>
          <a href={`/sign-in/sandbox?${new URLSearchParams({ to }).toString()}`}>
            {texts.toSandbox}
          </a>
        </p>
      )}
    </section>
  )
}
