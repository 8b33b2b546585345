import { type Credentials, SecretFixedError } from '@cofre/sandbox'
import { Hono } from 'hono'
import { isByScript } from '../http/by-script.js'
import { readForm } from '../http/posted-form.js'
import { formatTime } from '../language/format.js'
import { backTo } from '../page/back-to.js'
import { type Flash, setFlash } from '../page/flash.js'
import { PostForm } from '../page/post-form.js'
import { renderPage } from '../page/render-page.js'
import { Copyable, Fact } from '../page/shown-value.js'
import {
  type PanelContext,
  type PanelEnv,
  type View,
  rememberSession,
  viewOf,
} from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { hashSessionId } from '../session/session.js'
import { closeSessionsOf, openSession } from '../session/session-service.js'
import type { SignInLockout } from '../session/sign-in-lockout.js'
import { credentialsMessages } from './credentials-messages.js'
import { createFreshSecrets } from './fresh-secrets.js'

/** The store's id and secret, and the change of the secret. */
export function credentialsRoutes(deps: PanelDeps, lockout: SignInLockout): Hono<PanelEnv> {
  const { desk } = deps
  const fresh = createFreshSecrets()
  const app = new Hono<PanelEnv>()

  app.get('/credentials', async (c) => {
    const credentials = await desk.credentials(c.var.signedIn.storeId)
    // Another page of the browser that follows what happens would show it in passing.
    const secret = isByScript(c.req) ? undefined : fresh.take(c.var.signedIn)
    const body = <CredentialsPage view={viewOf(c)} credentials={credentials} secret={secret} />
    const { title } = credentialsMessages[c.var.language]
    const still = secret !== undefined
    return renderPage(c, deps, { title, body, page: 'credentials', still })
  })

  app.post('/credentials/secret', async (c) => {
    const form = await readForm(c)
    const isConfirmed = form.get('confirm') === 'yes'
    const flash = isConfirmed ? await rotate(c, form.get('secret') ?? '') : 'form-incomplete'
    setFlash(c, deps, flash)
    return backTo(c)
  })
  return app

  /** Whoever holds a session alone makes no secret: the current one is asked for, as at the sign-in. */
  async function rotate(c: PanelContext, currentSecret: string): Promise<Flash> {
    const { storeId } = c.var.signedIn
    const address = deps.addressOf(c.req.raw, c.env as object)
    const attempt = { storeId, address, visitId: c.var.visitId }
    if (lockout.begin(attempt) > 0) return 'secret-locked'
    try {
      const rotation = await desk.rotateSecret(storeId, currentSecret)
      if (rotation === undefined) {
        deps.log.warn({ storeId, address }, 'a new secret was asked for without the current one')
        return 'secret-not-current'
      }
      lockout.succeed(attempt)
      await signInAnew(c, rotation.secret)
      return 'secret-rotated'
    } catch (error) {
      if (error instanceof SecretFixedError) return 'secret-fixed'
      throw error
    }
  }

  /** Ends the sessions of the secret before, this one too: from now on the new one is signed in with. */
  async function signInAnew(c: PanelContext, secret: string): Promise<void> {
    const { storeId } = c.var.signedIn
    closeSessionsOf(deps, storeId)
    const signIn = await desk.signIn(storeId, secret)
    if (signIn === undefined) return
    const id = openSession(deps, signIn)
    rememberSession(c, deps, id)
    fresh.keep(storeId, hashSessionId(id), secret)
  }
}

interface CredentialsPageProps {
  readonly view: View
  readonly credentials: Credentials
  /** Just made, shown this once. */
  readonly secret: string | undefined
}

function CredentialsPage({ view, credentials, secret }: CredentialsPageProps) {
  const texts = credentialsMessages[view.language]
  const { storeId, storeName, previousUntilMs, fixedBy } = credentials
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{texts.intro}</p>
      {secret !== undefined && (
        <section class="card fresh-secret">
          <h2>{texts.newSecret}</h2>
          <p>{texts.newSecretText}</p>
          <Copyable view={view} id="secret" text={secret} label={texts.secret} block />
        </section>
      )}
      <section class="card">
        <dl class="facts">
          <Fact term={texts.store}>{storeName}</Fact>
          <Fact term={texts.storeId}>
            <Copyable view={view} id="store-id" text={storeId} label={texts.storeId} />
          </Fact>
          <Fact term={texts.secret}>
            {texts.hidden}{' '}
            {previousUntilMs !== undefined &&
              texts.previous(formatTime(previousUntilMs, view.language))}
          </Fact>
        </dl>
      </section>
      <Rotation view={view} fixedBy={fixedBy} />
    </>
  )
}

function Rotation({ view, fixedBy }: Pick<Credentials, 'fixedBy'> & { readonly view: View }) {
  const texts = credentialsMessages[view.language]
  return (
    <section class="card">
      <h2>{texts.rotate}</h2>
      {fixedBy === undefined ? (
        <>
          <p>{texts.rotateText}</p>
          <PostForm view={view} action="/credentials/secret">
            <label class="choice">
              <input type="checkbox" name="confirm" value="yes" required />
              {texts.confirm}
            </label>
            <label>
              {texts.current}
              <input
                name="secret"
                type="password"
                required
                autocomplete="current-password"
                maxlength={512}
              />
            </label>
            <button>{texts.rotate}</button>
          </PostForm>
        </>
      ) : (
        <p>{texts.fixed(fixedBy)}</p>
      )}
    </section>
  )
}
