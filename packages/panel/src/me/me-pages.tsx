import { Secret } from '@cofre/contracts'
import { readForm } from '@cofre/pages'
import { authenticatorSecret, personNameOf } from '@cofre/people'
import { Hono, type MiddlewareHandler } from 'hono'
import { CodeField, NewPasswordField } from '../door/fields.js'
import { Authenticator, RecoveryCodes } from '../door/link.js'
import type { ConsolePeople, PanelParts } from '../visit/panel-parts.js'
import { PostForm } from '../part/parts.js'
import { renderNotice, renderPage } from '../frame/render-page.js'
import { passkeyPartsOf } from '../frame/passkeys.js'
import { stepUp } from '../frame/step-up.js'
import { type Form, type PanelContext, type PanelEnv, useView, useTexts } from '../visit/visit.js'
import { Me } from './me.js'
import { redirectToMe, proceed, sessionOf, signInAgain } from './own-session.js'
import { addPasskeys } from './passkey-pages.js'
import { DOOR_TEXTS } from '../door/texts.js'
import { ME_TEXTS } from './texts.js'

/** Changes of a person's own access. */
export function meRoutes(parts: PanelParts, people: ConsolePeople): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.use('/me/*', requirePerson(parts))
  addOwnPage(app, parts, people)
  addPassword(app, parts, people)
  addSecondFactor(app, parts, people)
  const passkeys = passkeyPartsOf(parts)
  if (passkeys !== undefined) addPasskeys(app, parts, passkeys)
  addRedirects(app)
  return app
}

type MePages = Hono<PanelEnv>

function addOwnPage(app: MePages, parts: PanelParts, { own }: ConsolePeople): void {
  app.get('/me', async (c) => {
    const session = sessionOf(c)
    const { personId } = session
    const hasPasskeys = passkeyPartsOf(parts) !== undefined
    const [hasPassword, codesLeft, sessions, passkeys] = await Promise.all([
      own.hasPassword(personId),
      own.recoveryCodesLeft(personId),
      own.sessions(personId),
      hasPasskeys ? own.passkeys(personId) : undefined,
    ])
    const body = <Me {...{ session, sessions, hasPassword, codesLeft, passkeys }} />
    return renderPage(c, parts, { title: ME_TEXTS[c.var.language].me.title, body })
  })

  app.post('/me/name', async (c) => {
    const name = personNameOf((await readForm(c)).get('name') ?? '')
    if (name === undefined) return redirectToMe(c, parts, 'form-incomplete')
    await own.setName(sessionOf(c), name)
    return redirectToMe(c, parts, 'name-changed')
  })

  app.post('/me/sessions/end', async (c) => {
    await own.endOtherSessions(sessionOf(c))
    return redirectToMe(c, parts, 'sessions-ended')
  })
}

function addPassword(app: MePages, parts: PanelParts, { own }: ConsolePeople): void {
  // The proof comes first, so that no page repeats a typed password.
  app.post('/me/password/new', async (c) => {
    const unproved = await stepUp(parts, c, await readForm(c))
    return unproved ?? renderPassword(c, parts)
  })

  app.post('/me/password', async (c) => {
    const form = await readForm(c)
    const unproved = await stepUp(parts, c, form)
    if (unproved) return unproved
    const password = passwordOf(form)
    // The proof was requested here, so the password has to be typed again.
    if (password === undefined) return renderPassword(c, parts)
    const result = await own.setPassword(sessionOf(c), password)
    if (result === 'weak-password') return renderPassword(c, parts, result)
    if (result === 'no-totp') return redirectToMe(c, parts, 'form-incomplete')
    return proceed(c, parts, { result, flash: 'password-changed' })
  })
}

function renderPassword(c: PanelContext, parts: PanelParts, problem?: 'weak-password') {
  const { title } = ME_TEXTS[c.var.language].me.password
  const body = <PasswordPage problem={problem} />
  return renderPage(c, parts, { title, body, status: problem === undefined ? 200 : 400 })
}

function PasswordPage({ problem }: { readonly problem: 'weak-password' | undefined }) {
  const link = useTexts(DOOR_TEXTS).link
  const me = useTexts(ME_TEXTS).me
  const { stepUp: proof } = useView().texts
  return (
    <section class="card">
      <h1>{me.password.title}</h1>
      {problem !== undefined && (
        <p class="flash bad" role="alert">
          {link.problems[problem]}
        </p>
      )}
      <PostForm action="/me/password">
        <NewPasswordField />
        <p class="hint">{me.endsOthers}</p>
        <button>{me.password.save}</button>
      </PostForm>
      <p>
        <a href="/me">{proof.cancel}</a>
      </p>
    </section>
  )
}

/** Only forms lead to these addresses: a link redirects to the page. */
function addRedirects(app: MePages): void {
  app.get('/me/*', (c) => c.redirect('/me', 303))
}

function addSecondFactor(app: MePages, parts: PanelParts, { own }: ConsolePeople): void {
  // The proof comes first: typing an old code would take longer than a new one is valid.
  app.post('/me/authenticator/new', async (c) => {
    const unproved = await stepUp(parts, c, await readForm(c))
    return unproved ?? (await renderAuthenticator(c, parts, { own, secret: secretOf(c) }))
  })

  app.post('/me/authenticator', async (c) => {
    const form = await readForm(c)
    const shown = secretOf(c)
    const unproved = await stepUp(parts, c, form)
    if (unproved) return unproved
    const secret = secretOf(c)
    // The proof was requested here: the typed code has expired, and the session's new id changes
    // the picture.
    if (secret.reveal() !== shown.reveal()) return renderAuthenticator(c, parts, { own, secret })
    const code = new Secret(form.get('code') ?? '')
    const result = await own.setTotp(sessionOf(c), { secret, code }, passwordOf(form))
    if (result === 'wrong-code' || result === 'weak-password')
      return renderAuthenticator(c, parts, { own, secret, problem: result })
    return proceed(c, parts, { result, flash: 'totp-changed' })
  })

  app.post('/me/recovery-codes', async (c) => {
    const unproved = await stepUp(parts, c, await readForm(c))
    if (unproved) return unproved
    const codes = await own.newRecoveryCodes(sessionOf(c))
    if (codes === 'ended') return signInAgain(c, parts)
    const { title } = DOOR_TEXTS[c.var.language].recovery
    return renderPage(c, parts, { title, body: <RecoveryCodes codes={codes} to="/me" /> })
  })
}

/** A session opened with a store's secret has no person. */
function requirePerson(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    if (c.var.signedIn?.kind !== 'person') return renderNotice(c, parts, 'notFound')
    await next()
    return undefined
  }
}

function secretOf(c: PanelContext): Secret<string> {
  return authenticatorSecret(new Secret(c.var.cookieId), c.var.visitId)
}

function passwordOf(form: Form): Secret<string> | undefined {
  const password = form.get('password')
  return password === undefined ? undefined : new Secret(password)
}

interface NewAuthenticator {
  readonly own: ConsolePeople['own']
  readonly secret: Secret<string>
  readonly problem?: 'wrong-code' | 'weak-password'
}

async function renderAuthenticator(c: PanelContext, parts: PanelParts, shown: NewAuthenticator) {
  const { own, secret, problem } = shown
  const { email, personId } = sessionOf(c)
  const wantsPassword = !(await own.hasPassword(personId))
  const { title } = ME_TEXTS[c.var.language].me.authenticator
  const body = <AuthenticatorPage {...{ email, secret, problem, wantsPassword }} />
  return renderPage(c, parts, { title, body, status: problem === undefined ? 200 : 400 })
}

interface AuthenticatorPageProps {
  readonly email: string
  readonly secret: Secret<string>
  readonly problem: NewAuthenticator['problem']
  readonly wantsPassword: boolean
}

function AuthenticatorPage({ email, secret, problem, wantsPassword }: AuthenticatorPageProps) {
  const link = useTexts(DOOR_TEXTS).link
  const me = useTexts(ME_TEXTS).me
  const { stepUp: proof } = useView().texts
  return (
    <section class="card">
      <h1>{me.authenticator.title}</h1>
      {problem !== undefined && (
        <p class="flash bad" role="alert" id="problem">
          {link.problems[problem]}
        </p>
      )}
      <PostForm action="/me/authenticator">
        <Authenticator secret={secret} label={email} />
        {wantsPassword && <NewPasswordField />}
        <CodeField label={link.codeShown} describedBy={problem && 'problem'} />
        <button>{me.authenticator.save}</button>
      </PostForm>
      <p>
        <a href="/me">{proof.cancel}</a>
      </p>
    </section>
  )
}
