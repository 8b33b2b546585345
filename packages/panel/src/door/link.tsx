import { Secret } from '@cofre/contracts'
import { fill, readForm } from '@cofre/pages'
import {
  type LinkClaim,
  type LinkProblem,
  type LinkView,
  type MovedEmail,
  authenticatorSecret,
  authenticatorUri,
  personNameOf,
} from '@cofre/people'
import { Hono } from 'hono'
import { originOf } from '../frame/page-act.js'
import type { ConsolePeople, PanelParts } from '../visit/panel-parts.js'
import { PasskeyForm } from '../frame/passkey-form.js'
import { boundTo, creationOptions, newPasskeyOf, passkeyPartsOf } from '../frame/passkeys.js'
import { Copyable, PostForm } from '../part/parts.js'
import { qrPicture } from '../part/qr-picture.js'
import { continueSession } from '../frame/step-up.js'
import { setFlash } from '../frame/flash.js'
import { addressIn } from '../model/console-gateway.js'
import { renderNotice, renderPage } from '../frame/render-page.js'
import {
  type Form,
  type PanelContext,
  type PanelEnv,
  rememberPerson,
  useView,
  viewOf,
  useTexts,
} from '../visit/visit.js'
import { CodeField, EmailField, NameField, NewPasswordField } from './fields.js'
import { endSession } from './sign-in.js'
import { DOOR_TEXTS } from './texts.js'

/** Links that create people, or renew their credentials. */
export function linkRoutes(parts: PanelParts, people: ConsolePeople): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()

  // Changes nothing: virus scanners of mail servers open links, too.
  app.get('/link/:token', async (c) => {
    const token = new Secret(c.req.param('token'))
    const link = await people.links.view(token)
    if (link === undefined) return renderNotice(c, parts, 'linkGone')
    return renderLink(c, parts, { link, token })
  })

  app.post('/link/:token', async (c) => {
    const token = new Secret(c.req.param('token'))
    const form = await readForm(c)
    const link = await people.links.view(token)
    if (link === undefined) return renderNotice(c, parts, 'linkGone')
    const claim = await claimOf(c, parts, { link, token, form })
    if (claim === 'incomplete' || claim === 'passkey-refused')
      return renderLink(c, parts, { link, token, form, problem: claim })
    const result = await people.links.use(token, claim, originOf(c, parts))
    if (result === 'gone') return renderNotice(c, parts, 'linkGone')
    if (typeof result === 'string')
      return renderLink(c, parts, { link, token, form, problem: result })
    const { personId, sessionId, recoveryCodes, taken } = result
    if (taken !== undefined) void notifyOwners(DOOR_TEXTS[c.var.language].link.letter, parts, taken)
    if (result.isProof && sessionId !== undefined) {
      continueSession(c, parts, { sessionId, personId })
      setFlash(c, parts, 'confirmed-by-link')
    } else if (sessionId !== undefined) {
      await endSession(c, parts)
      rememberPerson(c, parts, sessionId)
      // The next page must not show the previous person's session.
      c.set('signedIn', undefined)
      c.set('cookieId', sessionId)
    }
    if (recoveryCodes.length === 0) return c.redirect(addressAfter(parts, link), 303)
    const { title } = DOOR_TEXTS[c.var.language].recovery
    return renderPage(c, parts, {
      title,
      body: <RecoveryCodes codes={recoveryCodes} to="/" />,
      still: true,
    })
  })

  const passkeys = passkeyPartsOf(parts)
  if (passkeys !== undefined)
    app.post('/link/:token/passkey', async (c) => {
      const link = await people.links.view(new Secret(c.req.param('token')))
      if (link === undefined) return renderNotice(c, parts, 'linkGone')
      const user = { name: link.email ?? link.storeId ?? '', held: [] }
      return c.json(await creationOptions(passkeys, boundTo(c, 'register'), user))
    })
  return app
}

function addressAfter({ environments }: PanelParts, { purpose, storeId }: LinkView): string {
  if (purpose === 'password') return '/sign-in'
  const isDemo = purpose === 'demo' && environments.sandbox !== undefined
  // The demo store's payments.
  return isDemo && storeId !== undefined
    ? addressIn({ environment: 'sandbox', storeId }, '/payments')
    : '/'
}

/** Notifies owners by e-mail. The log of each store records it, too. */
async function notifyOwners(
  letter: (typeof DOOR_TEXTS)['en']['link']['letter'],
  { log, mailer }: PanelParts,
  { email, owners }: MovedEmail,
): Promise<void> {
  for (const { storeId, email: to } of owners) {
    const filled = { store: storeId, email }
    const text = fill(letter.text, filled)
    await mailer
      ?.send({ to, subject: fill(letter.subject, filled), text })
      .catch((error: unknown) => {
        log.warn(
          { error, storeId },
          'mailer failed to notify an owner; inform the owner that an address changed hands',
        )
      })
  }
}

interface Filled {
  readonly link: LinkView
  readonly token: Secret<string>
  readonly form: Form
}

/** Set if the signed-in person becomes the owner, instead of a new person. */
const SIGNED_IN_FIELD = 'signed-in'

/** Set if the recipient of the link is a new person, not the one registered under its e-mail. */
const NEW_PERSON_FIELD = 'new-person'

function makesPeople(purpose: LinkView['purpose']): boolean {
  return purpose === 'owner' || purpose === 'invite' || purpose === 'sandbox-invite'
}

/** True for a link to a known person's e-mail: that person signs in to accept. */
function isForSignedIn({ purpose, isForKnownPerson }: LinkView): boolean {
  return makesPeople(purpose) && isForKnownPerson
}

type Unclaimed = 'incomplete' | 'passkey-refused'

async function claimOf(
  c: PanelContext,
  parts: PanelParts,
  { link, token, form }: Filled,
): Promise<LinkClaim | Unclaimed> {
  const secret = (name: string) => new Secret(form.get(name) ?? '')
  const [password, code] = [secret('password'), secret('code')]
  if (link.purpose === 'password') return { kind: 'password', password, code }
  const { signedIn } = c.var
  if (link.purpose === 'demo')
    return { kind: 'demo', session: signedIn?.kind === 'person' ? signedIn.session : undefined }
  const takesEmail = link.mayTakeEmail && form.has(NEW_PERSON_FIELD)
  const isAsKnown = isForSignedIn(link) && !takesEmail
  if (isAsKnown || (link.purpose === 'owner' && form.has(SIGNED_IN_FIELD)))
    return signedIn?.kind === 'person'
      ? { kind: 'signed-in', session: signedIn.session }
      : 'incomplete'
  const credentials = form.has('passkey')
    ? await passkeyOf(c, parts, form)
    : { password, totp: authenticatorSecret(token, c.var.visitId), code }
  if (credentials === undefined) return 'passkey-refused'
  if (link.purpose === 'reset') return { kind: 'reset', credentials }
  const name = personNameOf(form.get('name') ?? '')
  return name === undefined
    ? 'incomplete'
    : { kind: 'new-person', name, email: (form.get('email') ?? '').trim(), credentials }
}

async function passkeyOf(c: PanelContext, parts: PanelParts, form: Form) {
  const passkeys = passkeyPartsOf(parts)
  const answer = { json: form.get('passkey') ?? '', label: viewOf(c).texts.passkeys.one }
  const passkey = passkeys && (await newPasskeyOf(passkeys, boundTo(c, 'register'), answer))
  return passkey && { passkey }
}

interface ShownLink {
  readonly link: LinkView
  readonly token: Secret<string>
  /** The form as it was sent. */
  readonly form?: Form
  readonly problem?: Exclude<LinkProblem, 'gone'> | Unclaimed
}

function renderLink(c: PanelContext, parts: PanelParts, shown: ShownLink) {
  const texts = DOOR_TEXTS[c.var.language].link
  const title = texts.titles[shown.link.purpose]
  const status = shown.problem === undefined ? 200 : 400
  const signedIn = c.var.signedIn?.kind === 'person' ? c.var.signedIn.session.email : undefined
  const totp = authenticatorSecret(shown.token, c.var.visitId)
  const hasPasskeys = passkeyPartsOf(parts) !== undefined
  const body = <LinkPage {...shown} {...{ title, signedIn, totp, hasPasskeys }} />
  return renderPage(c, parts, { title, body, status, still: true })
}

interface LinkPageProps extends ShownLink {
  readonly title: string
  /** The e-mail of the signed-in person. */
  readonly signedIn: string | undefined
  readonly totp: Secret<string>
  readonly hasPasskeys: boolean
}

function LinkPage(props: LinkPageProps) {
  const { link, problem, title, token, signedIn } = props
  const texts = useTexts(DOOR_TEXTS).link
  const { roles } = useView().texts
  const { purpose, storeId, role } = link
  const action = `/link/${token.reveal()}`
  const wantsSignIn = isForSignedIn(link)
  return (
    <section class="card">
      <h1>{title}</h1>
      {storeId !== undefined && role !== undefined && (
        <p>{fill(texts.toStore, { store: storeId, role: roles[role] })}</p>
      )}
      {problem !== undefined && (
        <p class="flash bad" role="alert" id="problem">
          {texts.problems[problem]}
        </p>
      )}
      {wantsSignIn && signedIn === undefined ? (
        <SignInFirst text={texts.signInFirst} to={action} />
      ) : (
        <>
          {purpose === 'owner' && !wantsSignIn && <AcceptAsOwner signedIn={signedIn} to={action} />}
          <PostForm action={action}>
            {!wantsSignIn && purpose !== 'demo' && <LinkFields {...props} />}
            <button>{texts.buttons[purpose]}</button>
          </PostForm>
          {!wantsSignIn && wantsCredentials(purpose) && props.hasPasskeys && (
            <LinkWithPasskey {...props} action={action} />
          )}
        </>
      )}
      {wantsSignIn && link.mayTakeEmail && <AsNewPerson {...props} action={action} />}
    </section>
  )
}

function wantsCredentials(purpose: LinkView['purpose']): boolean {
  return purpose !== 'password' && purpose !== 'demo'
}

/** For a recipient who now has the e-mail, but isn't the person registered under it. */
function AsNewPerson(props: LinkPageProps & { readonly action: string }) {
  const texts = useTexts(DOOR_TEXTS).link
  const { action, hasPasskeys, link } = props
  return (
    <details open={props.form?.has(NEW_PERSON_FIELD)}>
      <summary>{texts.neverHere}</summary>
      <p>{texts.takesEmail}</p>
      <PostForm action={action}>
        <input type="hidden" name={NEW_PERSON_FIELD} value="yes" />
        <LinkFields {...props} />
        <button>{texts.buttons[link.purpose]}</button>
      </PostForm>
      {hasPasskeys && <LinkWithPasskey {...props} />}
    </details>
  )
}

interface SignInFirstProps {
  readonly text: string
  /** The path of the link's own page. */
  readonly to: string
}

function SignInFirst({ text, to }: SignInFirstProps) {
  const texts = useTexts(DOOR_TEXTS).link
  return (
    <>
      <p>
        {text}{' '}
        <a class="button" href={`/sign-in?${new URLSearchParams({ to }).toString()}`}>
          {texts.signIn}
        </a>
      </p>
      <p class="hint">{texts.cannotSignIn}</p>
    </>
  )
}

interface AcceptAsOwnerProps extends Pick<SignInFirstProps, 'to'> {
  readonly signedIn: string | undefined
}

/** For an owner registered by other stores. The link names no e-mail. */
function AcceptAsOwner({ signedIn: email, to }: AcceptAsOwnerProps) {
  const texts = useTexts(DOOR_TEXTS).link
  if (email === undefined) return <SignInFirst text={texts.knownOwner} to={to} />
  return (
    <PostForm action={to}>
      <input type="hidden" name={SIGNED_IN_FIELD} value="yes" />
      <button>{fill(texts.acceptAs, { email })}</button>
    </PostForm>
  )
}

function LinkWithPasskey({ link, form, action }: LinkPageProps & { readonly action: string }) {
  const texts = useView().texts.passkeys
  return (
    <PasskeyForm kind="create" action={action} options={`${action}/passkey`} button={texts.create}>
      <h2>{texts.orWithout}</h2>
      <p>{texts.intro}</p>
      {link.mayTakeEmail && <input type="hidden" name={NEW_PERSON_FIELD} value="yes" />}
      {link.purpose !== 'reset' && <NameField value={form?.get('name')} />}
      {link.purpose !== 'reset' && link.email === undefined && (
        <EmailField value={form?.get('email')} />
      )}
    </PasskeyForm>
  )
}

function LinkFields({ link, form, problem, totp }: LinkPageProps) {
  const texts = useTexts(DOOR_TEXTS).link
  const door = useTexts(DOOR_TEXTS).door
  const { purpose, email } = link
  const isNew = makesPeople(purpose)
  const describedBy = problem === undefined ? undefined : 'problem'
  return (
    <>
      {isNew && <NameField value={form?.get('name')} />}
      {email === undefined ? (
        <EmailField value={form?.get('email')} describedBy={describedBy} />
      ) : (
        <p>
          {door.email}: <strong>{email}</strong>
        </p>
      )}
      <NewPasswordField />
      {purpose !== 'password' && (
        <Authenticator secret={totp} label={email ?? link.storeId ?? ''} />
      )}
      <CodeField
        label={purpose === 'password' ? door.code : texts.codeShown}
        describedBy={describedBy}
      />
    </>
  )
}

interface AuthenticatorProps {
  readonly secret: Secret<string>
  readonly label: string
}

/** The secret of an authenticator app, as a QR code and as text. */
export function Authenticator({ secret, label }: AuthenticatorProps) {
  const texts = useTexts(DOOR_TEXTS).link
  const uri = authenticatorUri(secret, label).reveal()
  return (
    <div class="pix">
      <img src={qrPicture(uri)} alt={texts.picture} width={176} height={176} />
      <div>
        <p>{texts.authenticator}</p>
        <p class="hint">{texts.whatItIs}</p>
        <Copyable id="totp" text={secret.reveal()} label={texts.key} block />
      </div>
    </div>
  )
}

interface RecoveryCodesProps {
  readonly codes: readonly Secret<string>[]
  /** The next page, once the codes are saved. */
  readonly to: string
}

/** Recovery codes, shown once: only their hashes are stored. */
export function RecoveryCodes({ codes, to }: RecoveryCodesProps) {
  const texts = useTexts(DOOR_TEXTS).recovery
  const text = codes.map((code) => code.reveal()).join('\n')
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      <Copyable id="recovery-codes" text={text} label={texts.title} block />
      <div class="actions">
        <a
          class="button quiet"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download={`${texts.fileName}.txt`}
        >
          {texts.download}
        </a>
        <a class="button" href={to}>
          {texts.go}
        </a>
      </div>
    </section>
  )
}
