import type { PropsWithChildren } from 'hono/jsx'
import { LANGUAGES } from '../language/language.js'
import { formatDuration } from '../language/format.js'
import type { View } from '../panel-context.js'
import type { ShownFlash } from './flash.js'
import { BrandMark, PageIcon } from './icon.js'
import { type PageName, pageMessages } from './page-messages.js'
import { PostForm } from './post-form.js'
import { assetUrl } from './static-asset-routes.js'

const NAVIGATION = {
  payments: ['transactions', 'notifications', 'receiver', 'requests'],
  tools: ['checklist', 'test-data', 'clock', 'settlement'],
  store: ['credentials', 'reset'],
} as const satisfies Readonly<Record<string, readonly PageName[]>>

/** What the frame says about who has signed in. */
export interface SignedIn {
  readonly storeId: string
  /** Milliseconds by which the sandbox is ahead of the machine. */
  readonly aheadMs: number
  /** Of what the page shows; undefined for a page that must not change by itself. */
  readonly version: string | undefined
}

interface LayoutProps {
  readonly title: string
  readonly view: View
  readonly page: PageName | undefined
  readonly flash: ShownFlash | undefined
  /** Undefined before the sign-in. */
  readonly signedIn: SignedIn | undefined
}

/** The frame of every page. */
export function Layout(props: PropsWithChildren<LayoutProps>) {
  const { title, view, flash, signedIn, children } = props
  const texts = pageMessages[view.language]
  return (
    <html lang={view.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Cofre, ${texts.name}`}</title>
        <link rel="icon" href={assetUrl('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assetUrl('panel.css')} />
        <script src={assetUrl('panel.js')} defer></script>
      </head>
      <body class={signedIn === undefined ? 'signed-out' : 'signed-in'}>
        <a class="skip-link" href="#content">
          {texts.skipToContent}
        </a>
        <Header {...props} />
        {signedIn !== undefined && <Navigation {...props} />}
        <main id="content" tabindex={-1}>
          {flash !== undefined && (
            <p class={`flash ${flash.kind}`} role="status" tabindex={-1} data-flash>
              {flash.text}
            </p>
          )}
          <LiveTexts {...props} />
          <div id="live" data-version={signedIn?.version}>
            {children}
          </div>
        </main>
        <footer class="site-footer">{texts.footer}</footer>
      </body>
    </html>
  )
}

/** What the script says; without script none of it is seen. */
function LiveTexts({ view, signedIn }: LayoutProps) {
  const texts = pageMessages[view.language]
  if (signedIn?.version === undefined) return null
  return (
    <p class="live-note" role="status" data-live-note>
      <a href={view.here} data-stale hidden>
        {texts.stale}
      </a>
      <a href={view.here} data-signed-out hidden>
        {texts.signedOut}
      </a>
    </p>
  )
}

function Header({ view, signedIn }: LayoutProps) {
  const texts = pageMessages[view.language]
  const [other = view.language] = LANGUAGES.filter((candidate) => candidate !== view.language)
  return (
    <header class="site-header">
      <a class="brand" href="/">
        <BrandMark />
        <span>
          <strong>Cofre</strong> {texts.name}
        </span>
        <span class="tag">{texts.sandbox}</span>
      </a>
      {signedIn !== undefined && signedIn.aheadMs > 0 && (
        <a class="clock-note" href="/clock">
          {texts.ahead(formatDuration(signedIn.aheadMs, view.language))}
        </a>
      )}
      <div class="header-end">
        {signedIn !== undefined && (
          <span class="store">
            <span class="visually-hidden">{texts.store} </span>
            <code>{signedIn.storeId}</code>
          </span>
        )}
        <a
          href={`/language/${other}?to=${encodeURIComponent(view.here)}`}
          lang={other}
          hreflang={other}
        >
          {texts.otherLanguage}
        </a>
        {signedIn !== undefined && (
          <PostForm view={view} action="/sign-out" class="sign-out">
            <button class="link">{texts.signOut}</button>
          </PostForm>
        )}
      </div>
    </header>
  )
}

function Navigation({ view, page }: LayoutProps) {
  const texts = pageMessages[view.language]
  return (
    <nav class="site-nav" aria-label={texts.navigation}>
      {Object.entries(NAVIGATION).map(([group, names]) => (
        <section>
          <h2>{texts.groups[group as keyof typeof NAVIGATION]}</h2>
          <ul>
            {names.map((name) => (
              <li>
                <a href={`/${name}`} aria-current={name === page ? 'page' : undefined}>
                  <PageIcon name={name} />
                  {texts.pages[name]}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
