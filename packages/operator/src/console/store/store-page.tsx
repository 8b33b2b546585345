import { randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { livePreviousSecret, liveSecrets } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import {
  type ActionRule,
  type ConsolePages,
  type ActionResult,
  refused,
  type PanelParts,
  Copyable,
  PostForm,
  type Form,
  type Visit,
  useView,
  useTexts,
  SECRET_BYTES,
  isMarkOf,
  secretMark,
  formatTime,
} from '@cofre/panel/page'
import { AccountTable } from './account-table.js'
import { KeyTable } from './key-table.js'
import { originPages } from './origins.js'
import { settingPages } from './settings.js'
import { OperatorFacts, StoreFacts } from './store-facts.js'
import { interestPages } from './interest-form.js'
import { InterestSection } from './interest.js'
import { type StoreParts, deskAt } from './parts.js'
import { STORE_TEXTS } from './texts.js'

const NEW_SECRET = {
  needs: 'store:secret',
  act: 'store:secret',
  stepUp: true,
} as const satisfies ActionRule

/** A store's rights, signature, interest and accounts; in production also a new secret. */
export function storePages(pages: ConsolePages, parts: StoreParts): void {
  const { page, action } = pages
  page('/store', async (visit) => {
    const { gateway, storeId, view } = visit
    const desk = deskAt(parts, visit)
    const [merchant, accounts, keys] = await Promise.all([
      desk.findMerchant(storeId),
      gateway.accounts.list(storeId),
      desk.keysOf(storeId),
    ])
    if (merchant === undefined) return undefined
    const previous = livePreviousSecret(merchant, parts.clock.now())
    const body = (
      <>
        <StoreFacts merchant={merchant} previous={previous} />
        <OperatorFacts merchant={merchant} limits={desk.declineLimits(merchant)} />
        {view.may('store:secret') && liveSecrets(merchant, parts.clock.now()).length > 0 && (
          <NewSecret
            mark={secretMark(merchant)}
            isElsewhere={isManagedElsewhere(parts, storeId, view.environment)}
            previousUntilMs={previous?.untilMs}
          />
        )}
        <KeyTable {...keys} nowMs={parts.clock.now()} />
        <InterestSection merchant={merchant} usual={desk.usualTerms()} />
        <AccountTable accounts={accounts} nowMs={parts.clock.now()} />
      </>
    )
    return { body, still: true }
  })

  action('/store/secret', NEW_SECRET, (visit, form) => replaceSecret(parts, visit, form))
  interestPages(pages, parts)
  settingPages(pages, parts)
  originPages(pages, parts)
}

/**
 * The sandbox has its own page for secrets, and the test store has one secret for both
 * environments.
 */
function isManagedElsewhere(
  { secretKeeper }: PanelParts,
  storeId: string,
  environment: Visit['environment'] | undefined,
): boolean {
  return environment === 'sandbox' || secretKeeper?.has(storeId) === true
}

/** The form names the replaced secret, so that a form that is sent twice replaces only one. */
async function replaceSecret(parts: StoreParts, visit: Visit, form: Form): Promise<ActionResult> {
  const { environment, storeId, view } = visit
  const desk = deskAt(parts, visit)
  if (isManagedElsewhere(parts, storeId, environment)) return refused('gone')
  if (form.get('confirm') !== 'yes') return refused('form-incomplete')
  const merchant = await desk.findMerchant(storeId)
  if (merchant === undefined || !isMarkOf(merchant, form.get('mark') ?? ''))
    return refused('secret-replaced')
  const secret = new Secret(randomBytes(SECRET_BYTES).toString('base64url'))
  const untilMs = await desk.rotateSecret(storeId, secret, merchant.secret)
  if (untilMs === undefined) return refused('secret-replaced')
  const { title } = STORE_TEXTS[view.language].store.fresh
  return { once: { title, body: <FreshSecret secret={secret} untilMs={untilMs} /> } }
}

function FreshSecret({
  secret,
  untilMs,
}: {
  readonly secret: Secret<string>
  readonly untilMs: number
}) {
  const { at, language } = useView()
  const texts = useTexts(STORE_TEXTS).store.fresh
  return (
    <section class="card">
      <p>{fill(texts.text, { until: formatTime(untilMs, language) })}</p>
      <Copyable
        id="secret"
        text={secret.reveal()}
        label={useTexts(STORE_TEXTS).credentials.secret}
        block
      />
      <p>
        <a class="button" href={at('/store')}>
          {texts.back}
        </a>
      </p>
    </section>
  )
}

interface NewSecretProps {
  readonly mark: string
  readonly isElsewhere: boolean
  readonly previousUntilMs: number | undefined
}

function NewSecret({ mark, isElsewhere, previousUntilMs }: NewSecretProps) {
  const { at, environment, language } = useView()
  const credentials = useTexts(STORE_TEXTS).credentials
  const texts = useTexts(STORE_TEXTS).store
  if (isElsewhere)
    return (
      <section class="card">
        <h2>{credentials.rotate}</h2>
        <p>{environment === 'sandbox' ? texts.inSandbox : texts.oneForBoth}</p>
      </section>
    )
  return (
    <section class="card">
      <h2>{credentials.rotate}</h2>
      <p>{texts.rotateText}</p>
      {previousUntilMs !== undefined && (
        <p class="flash bad">
          {fill(texts.stopsPrevious, { until: formatTime(previousUntilMs, language) })}
        </p>
      )}
      <PostForm action={at('/store/secret')}>
        <input type="hidden" name="mark" value={mark} />
        <label class="choice">
          <input type="checkbox" name="confirm" value="yes" required />
          {credentials.confirm}
        </label>
        <button>{credentials.rotate}</button>
      </PostForm>
    </section>
  )
}
