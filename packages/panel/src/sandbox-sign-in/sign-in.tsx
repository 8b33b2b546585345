import { MINUTE_MS, SECOND_MS, Secret, maskCardNumbers } from '@cofre/contracts'
import { fill, ownPath, readForm } from '@cofre/pages'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { endSession } from '../door/sign-in.js'
import { originOf } from '../frame/page-act.js'
import type { SandboxParts } from '../visit/panel-parts.js'
import { PostForm } from '../part/parts.js'
import { renderPage } from '../frame/render-page.js'
import { type PanelContext, type PanelEnv, rememberSession, useTexts } from '../visit/visit.js'
import { signIn } from '../session/store-secret.js'
import { formatDuration } from '../visit/format.js'
import { FRAME_TEXTS } from '../visit/texts.js'
import { SANDBOX_SIGN_IN_TEXTS } from './texts.js'

const STORE_ID_LENGTH_MAX = 64
const SECRET_LENGTH_MAX = 512

/** The sign-in with a store's secret, to its sandbox. */
export function sandboxSignInRoutes(parts: SandboxParts): Hono<PanelEnv> {
  const { log, storeSessions } = parts
  const app = new Hono<PanelEnv>()

  app.get('/sign-in/sandbox', async (c) => {
    const to = ownPath(c.req.query('to') ?? '/')
    if (c.var.signedIn !== undefined) return c.redirect(to, 303)
    const { expired } = FRAME_TEXTS[c.var.language].frame
    const problem = c.req.query('expired') === '1' ? expired : undefined
    return await renderSignIn(c, parts, { to, storeId: '', problem, status: 200 })
  })

  app.post('/sign-in/sandbox', async (c) => {
    const form = await readForm(c)
    const to = ownPath(form.get('to') ?? '/')
    const storeId = (form.get('store-id') ?? '').trim()
    const { language } = c.var
    const texts = SANDBOX_SIGN_IN_TEXTS[language]['sign-in']
    const from = originOf(c, parts)
    const waitMs = await storeSessions.begin(storeId, from)
    if (waitMs > 0) {
      c.header('Retry-After', String(Math.ceil(waitMs / SECOND_MS)))
      const minutesMs = Math.ceil(waitMs / MINUTE_MS) * MINUTE_MS
      const duration = formatDuration(minutesMs, language)
      const problem = fill(texts.locked, { duration })
      return renderSignIn(c, parts, { to, storeId, problem, status: 429 })
    }
    const signedIn = await signIn(parts, storeId, new Secret(form.get('secret') ?? ''))
    if (signedIn === undefined) {
      const shownId = maskCardNumbers(storeId).slice(0, STORE_ID_LENGTH_MAX)
      log.warn({ storeId: shownId, address: from.address }, 'a sign-in to the panel failed')
      const problem = texts.wrong
      return renderSignIn(c, parts, { to, storeId, problem, status: 401 })
    }
    await storeSessions.succeed(storeId, from)
    await endSession(c, parts)
    rememberSession(c, parts, await storeSessions.open(signedIn, from))
    return c.redirect(to, 303)
  })
  return app
}

interface SignInPage {
  /** The panel path to open afterwards. */
  readonly to: string
  readonly storeId: string
  /** Why the reader has to sign in (again). */
  readonly problem: string | undefined
  readonly status: ContentfulStatusCode
}

function renderSignIn(c: PanelContext, parts: SandboxParts, { status, ...shown }: SignInPage) {
  const { title } = SANDBOX_SIGN_IN_TEXTS[c.var.language]['sign-in']
  const body = <SignIn {...shown} isRefused={status !== 200} isWrong={status === 401} />
  return renderPage(c, parts, { title, body, status })
}

interface SignInProps extends Omit<SignInPage, 'status'> {
  /** True if a sign-in was refused. */
  readonly isRefused: boolean
  /** True if the store or its secret was wrong. */
  readonly isWrong: boolean
}

function SignIn({ to, storeId, problem, isRefused, isWrong }: SignInProps) {
  const texts = useTexts(SANDBOX_SIGN_IN_TEXTS)['sign-in']
  const describedBy = isWrong ? 'problem' : undefined
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      {problem !== undefined && (
        <p class={`flash ${isRefused ? 'bad' : 'good'}`} role="alert" id="problem">
          {problem}
        </p>
      )}
      <PostForm action="/sign-in/sandbox">
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
            maxlength={STORE_ID_LENGTH_MAX}
          />
        </label>
        <SecretInput label={texts.secret} describedBy={describedBy} />
        <button>{texts.title}</button>
      </PostForm>
      <p class="hint">{texts.where}</p>
    </section>
  )
}

/** A field for a store's secret key. */
export function SecretInput(props: {
  readonly label: string
  readonly describedBy?: string | undefined
}) {
  return (
    <label>
      {props.label}
      <input
        name="secret"
        type="password"
        required
        autocomplete="current-password"
        maxlength={SECRET_LENGTH_MAX}
        aria-describedby={props.describedBy}
      />
    </label>
  )
}
