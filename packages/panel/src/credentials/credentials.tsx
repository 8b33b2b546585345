import { Secret } from '@cofre/contracts'
import { livePreviousSecret } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import { hashSessionId } from '@cofre/people'
import { originOf } from '../frame/page-act.js'
import type { SandboxParts } from '../visit/panel-parts.js'
import { Copyable, Facts, PostForm } from '../part/parts.js'
import {
  type ActionRule,
  type ConsolePages,
  type ActionResult,
  done,
  refused,
} from '../frame/console-pages.js'
import {
  type PanelContext,
  type Visit,
  isByScript,
  rememberSession,
  useView,
  useTexts,
} from '../visit/visit.js'
import { rotateSecret, signIn } from '../session/store-secret.js'
import { formatTime } from '../visit/format.js'
import { SecretInput } from '../sandbox-sign-in/sign-in.js'
import { CREDENTIALS_TEXTS } from './texts.js'

/** New secrets, one per store, by the session that may see them once; in memory only. */
type FreshSecrets = Map<string, { readonly idHash: string; readonly secret: Secret<string> }>

/** No step-up: the current secret is the proof, and pages must not carry it along. */
const ROTATION = { needs: 'sandbox:secret', act: 'sandbox:secret' } as const satisfies ActionRule

/** The store's id and secret, and the change of the secret. */
export function credentialsPages({ page, action }: ConsolePages, parts: SandboxParts): void {
  const { backOffice, clock, secretKeeper, storeSessions } = parts
  const fresh: FreshSecrets = new Map()

  page('/credentials', async (visit) => {
    const { c, storeId } = visit
    const merchant = await backOffice.findMerchant(storeId)
    const previous = merchant && livePreviousSecret(merchant, clock.now())
    // An automatic refresh would use up the only showing.
    const secret = isByScript(c) ? undefined : consumeFresh(fresh, visit)
    const body = (
      <>
        {secret !== undefined && <FreshSecret secret={secret} />}
        <StoreFacts id={storeId} name={merchant?.name} untilMs={previous?.untilMs} />
        <Rotation fixedBy={secretKeeper?.fixedBy(storeId)} />
      </>
    )
    return { body, still: secret !== undefined }
  })

  action('/credentials/secret', ROTATION, async (visit, form) =>
    form.get('confirm') === 'yes'
      ? await rotate(visit, new Secret(form.get('secret') ?? ''))
      : refused('form-incomplete'),
  )

  /** Requires the current secret, as at the sign-in; a session is not enough. */
  async function rotate({ c, storeId }: Visit, current: Secret<string>): Promise<ActionResult> {
    const from = originOf(c, parts)
    if ((await storeSessions.begin(storeId, from)) > 0) return refused('secret-locked')
    const secret = await rotateSecret(parts, storeId, current)
    if (secret === 'fixed') return refused('secret-fixed')
    if (secret === 'not-current') {
      const { address } = from
      parts.log.warn({ storeId, address }, 'a new secret was requested without the current one')
      return refused('secret-not-current')
    }
    await storeSessions.succeed(storeId, from)
    await signInAgain(c, storeId, secret)
    return done('secret-rotated')
  }

  /** Ends all sessions of the old secret, including this one, and opens one with the new secret. */
  async function signInAgain(
    c: PanelContext,
    storeId: string,
    secret: Secret<string>,
  ): Promise<void> {
    await storeSessions.endOf(storeId)
    if (c.var.signedIn?.kind === 'person') {
      fresh.set(storeId, { idHash: c.var.signedIn.session.idHash, secret })
      return
    }
    const signedIn = await signIn(parts, storeId, secret)
    if (signedIn === undefined) return
    const id = await storeSessions.open(signedIn, originOf(c, parts))
    rememberSession(c, parts, id)
    fresh.set(storeId, { idHash: hashSessionId(id), secret })
  }
}

/** The new secret, on its first showing to this session. */
function consumeFresh(fresh: FreshSecrets, { c, storeId }: Visit): string | undefined {
  const idHash = c.var.signedIn?.session.idHash
  const found = fresh.get(storeId)
  if (found === undefined || found.idHash !== idHash) return undefined
  fresh.delete(storeId)
  return found.secret.reveal()
}

function FreshSecret({ secret }: { readonly secret: string }) {
  const texts = useTexts(CREDENTIALS_TEXTS).credentials
  return (
    <section class="card">
      <h2>{texts.newSecret}</h2>
      <p>{texts.newSecretText}</p>
      <Copyable id="secret" text={secret} label={texts.secret} block />
    </section>
  )
}

interface StoreFactsProps {
  readonly id: string
  readonly name: string | undefined
  /** End of the previous secret's validity. */
  readonly untilMs: number | undefined
}

function StoreFacts({ id, name, untilMs }: StoreFactsProps) {
  const view = useView()
  const texts = CREDENTIALS_TEXTS[view.language].credentials
  const until = untilMs !== undefined && formatTime(untilMs, view.language)
  const secret = until === false ? '' : fill(texts.previous, { until })
  return (
    <section class="card">
      <Facts
        facts={[
          [texts.store, name],
          [texts.storeId, <Copyable id="store-id" text={id} label={texts.storeId} />],
          [texts.secret, `${texts.hidden} ${secret}`],
        ]}
      />
    </section>
  )
}

function Rotation({ fixedBy }: { readonly fixedBy: string | undefined }) {
  const { at } = useView()
  const texts = useTexts(CREDENTIALS_TEXTS).credentials
  return (
    <section class="card">
      <h2>{texts.rotate}</h2>
      {fixedBy === undefined ? (
        <>
          <p>{texts.rotateText}</p>
          <PostForm action={at('/credentials/secret')}>
            <label class="choice">
              <input type="checkbox" name="confirm" value="yes" required />
              {texts.confirm}
            </label>
            <SecretInput label={texts.current} />
            <button>{texts.rotate}</button>
          </PostForm>
        </>
      ) : (
        <p>{fill(texts.fixed, { variable: fixedBy })}</p>
      )}
    </section>
  )
}
