import { type Credentials, SecretFixedError } from '@cofre/sandbox'
import { Hono } from 'hono'
import { readForm } from '../http/posted-form.js'
import { formatTime } from '../language/format.js'
import { backTo } from '../page/back-to.js'
import { type Flash, setFlash } from '../page/flash.js'
import { PostForm } from '../page/post-form.js'
import { renderPage } from '../page/render-page.js'
import { Copyable, Fact } from '../page/shown-value.js'
import { type PanelEnv, type View, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import type { Session } from '../session/session.js'
import { closeOtherSessions } from '../session/session-service.js'
import { credentialsMessages } from './credentials-messages.js'
import { createFreshSecrets } from './fresh-secrets.js'

/** The store's id and secret, and the change of the secret. */
export function credentialsRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const { desk } = deps
  const fresh = createFreshSecrets()
  const app = new Hono<PanelEnv>()

  app.get('/credentials', async (c) => {
    const { storeId, idHash } = c.var.signedIn
    const credentials = await desk.credentials(storeId)
    const secret = fresh.take(idHash)
    const body = <CredentialsPage view={viewOf(c)} credentials={credentials} secret={secret} />
    const { title } = credentialsMessages[c.var.language]
    const still = secret !== undefined
    return renderPage(c, deps, { title, body, page: 'credentials', still })
  })

  app.post('/credentials/secret', async (c) => {
    const session = c.var.signedIn
    const isConfirmed = (await readForm(c)).get('confirm') === 'yes'
    setFlash(c, deps, isConfirmed ? await rotate(session) : 'form-incomplete')
    return backTo(c)
  })
  return app

  async function rotate(session: Session): Promise<Flash> {
    try {
      const { secret } = await desk.rotateSecret(session.storeId)
      fresh.keep(session.idHash, secret)
      closeOtherSessions(deps, session)
      return 'secret-rotated'
    } catch (error) {
      if (error instanceof SecretFixedError) return 'secret-fixed'
      throw error
    }
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
            <button>{texts.rotate}</button>
          </PostForm>
        </>
      ) : (
        <p>{texts.fixed(fixedBy)}</p>
      )}
    </section>
  )
}
