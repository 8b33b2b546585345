// Asks browsers for a trial's password before they see a page. Exempt are shops' requests, which
// are signed, and the vault's files for shops' pages, which reveal nothing.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '@cofre/contracts'
import type { Gateway } from '@cofre/gateway'
import {
  MalformedFormError,
  type Site,
  fill,
  limitForms,
  ownPath,
  preferredLanguage,
  readCookie,
  readForm,
  writeCookie,
} from '@cofre/pages'
import { type Context, Hono } from 'hono'
import type { EndpointName } from '../config/config.js'
import type { Trial } from '../config/trial.js'
import type { Application } from '../http/serve.js'
import { TRIAL_PAGE_HEADERS, TRIAL_TEXTS, passwordPage, withBanner } from './trial-page.js'

/** Limited like sign-ins. No store has this name. */
type Attempts = Pick<Gateway['storeSessions'], 'begin' | 'succeed'>
const COUNTED_AS = 'door of the trial'

/** First parts of the paths of signed requests. */
const SIGNED = [
  ...['transactions', 'payments', 'refunds', 'saved-cards', 'payment-links'],
  ...['events', 'event-endpoints'],
  ...['card', 'interest', 'sandbox', 'events', 'event-endpoints'],
]
const isSigned = (path: string): boolean => SIGNED.includes(path.split('/')[1] ?? '')
const isNotification = (path: string): boolean => path === '/notifications'
const allowAll = (): boolean => true

/**
 * Paths without a password, by endpoint. An endpoint that is not listed requires it for every path.
 */
const OPEN: Partial<Record<EndpointName, (path: string) => boolean>> = {
  api: isSigned,
  sandbox: isSigned,
  // Shops' pages on any server load the library and the card fields.
  vault: (path) => path.replaceAll('/', '') !== '',
  // Notifications: inboxes have secret addresses, and the shop's notifications are signed.
  panel: (path) => path.startsWith('/inbox/'),
  demo: isNotification,
  'demo-production': isNotification,
  // They listen only on this machine, unless their own variables set another address.
  metrics: allowAll,
  notices: allowAll,
}

interface DoorParts {
  readonly trial: Trial
  readonly addressOf: (request: Request, bindings: object) => string
  /** Counts wrong passwords, once the databases are open. */
  attempts: Attempts | undefined
}

export type TrialDoor = ReturnType<typeof createTrialDoor>

/** The password check and the banner for every page of a trial. */
export function createTrialDoor(trial: Trial, addressOf: DoorParts['addressOf']) {
  const deps: DoorParts = { trial, addressOf, attempts: undefined }
  // After the password, a browser proves it to every port of this host until the next start.
  const key = randomBytes(32)
  const proofOf = (visitId: string): string =>
    `${visitId}.${createHmac('sha256', key).update(visitId).digest('base64url')}`
  const isProof = (text: string): boolean => isSame(text, proofOf(text.split('.')[0] ?? ''))

  return {
    countBy(attempts: Attempts): void {
      deps.attempts = attempts
    },

    /** Puts the application behind the password check. */
    guard(name: EndpointName, publicUrl: string, application: Application): Application {
      const site = { url: publicUrl, name: 'cofre_trial', sameSite: 'Lax' } as const
      const open = OPEN[name]
      const door = createPages(deps, site, proofOf)
      const isIn = (c: Context): boolean => isProof(readCookie(c, site, COOKIE) ?? '')
      const all = new Hono()
      all.all('*', async (c) => {
        const isOpen = c.req.path !== PASSWORD_PATH && open?.(c.req.path) === true
        if (isOpen) return await application.fetch(c.req.raw, c.env as object)
        if (!isIn(c)) return await door.fetch(c.req.raw, c.env)
        return await withBanner(await application.fetch(c.req.raw, c.env as object))
      })
      // The log names requests by the application's own routes.
      return { router: application.router, getPath: application.getPath, fetch: fetchOf(all) }
    },
  }
}

const COOKIE = 'cofre_trial'
/** Form address for the password, on every endpoint. */
const PASSWORD_PATH = '/trial-password'

function fetchOf(app: Hono): Application['fetch'] {
  return (request, bindings) => app.fetch(request, bindings)
}

interface PasswordForm {
  /** The requested page. */
  readonly to: string
  readonly status?: 401 | 429
  readonly error?: string
}

/** Asks for the password at every path. */
function createPages(parts: DoorParts, site: Site, proofOf: (visitId: string) => string): Hono {
  const { trial, addressOf } = parts
  const app = new Hono()
  const ask = (c: Context, { to, status = 401, error }: PasswordForm) => {
    if (!/text\/html/i.test(c.req.header('Accept') ?? ''))
      return c.text(`${textsOf(c).program}\n`, status, TRIAL_PAGE_HEADERS)
    return c.html(passwordPage({ language: languageOf(c), to, error }), status, TRIAL_PAGE_HEADERS)
  }
  app.use(limitForms((c) => c.text('too large', 413)))
  app.post(PASSWORD_PATH, async (c) => {
    const { attempts } = parts
    if (attempts === undefined) return c.text('starting', 503)
    const form = await readForm(c)
    const to = ownPath(form.get('to') ?? '/')
    const visitId = randomBytes(16).toString('base64url')
    const from = { address: addressOf(c.req.raw, c.env as object), browser: '', visitId }
    const waitMs = await attempts.begin(COUNTED_AS, from)
    if (waitMs > 0) {
      const minutes = Math.ceil(waitMs / MINUTE_MS)
      return ask(c, { to, status: 429, error: fill(textsOf(c).wait, { minutes }) })
    }
    if (!isSame(form.get('password') ?? '', trial.password.reveal()))
      return ask(c, { to, error: textsOf(c).wrong })
    await attempts.succeed(COUNTED_AS, from)
    writeCookie(c, site, { name: COOKIE, value: proofOf(visitId) })
    return c.redirect(to, 303)
  })
  app.all('*', (c) => {
    const { pathname, search } = new URL(c.req.url)
    return ask(c, { to: c.req.method === 'GET' ? pathname + search : '/' })
  })
  app.onError((error, c) => {
    if (error instanceof MalformedFormError) return c.text(`${textsOf(c).program}\n`, 400)
    throw error
  })
  return app
}

function languageOf(c: Context) {
  return preferredLanguage(c.req.header('Accept-Language') ?? '*')
}

function textsOf(c: Context) {
  return TRIAL_TEXTS[languageOf(c)]
}

/** True if two texts are equal, in a time that reveals nothing about either. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
