import { Document, LanguageLink, fill, openAssets } from '@cofre/pages'
import type { PropsWithChildren } from 'hono/jsx'
import { formatDuration } from '../text/format.js'
import type { PageName } from '../text/texts.js'
import type { ShownFlash } from './flash.js'
import { PostForm } from './parts.js'
import { useView } from './visit.js'

export const assets = openAssets(new URL('../../assets/', import.meta.url))

const NAVIGATION = {
  payments: ['transactions', 'figures', 'notifications', 'receiver', 'requests'],
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
  readonly page: PageName | undefined
  readonly flash: ShownFlash | undefined
  /** Undefined before the sign-in. */
  readonly signedIn: SignedIn | undefined
}

/** The frame of every page. */
export function Layout(props: PropsWithChildren<LayoutProps>) {
  const { title, flash, signedIn, children } = props
  const { language, texts } = useView()
  return (
    <Document
      title={`${title} · Cofre, ${texts.frame.name}`}
      language={language}
      assets={assets}
      styles={['panel.css']}
      skipToContent={texts.frame.skipToContent}
      head={<script src={assets.urlOf('panel.js')} defer></script>}
      class={signedIn === undefined ? 'signed-out' : 'signed-in'}
    >
      <Header {...props} />
      {signedIn !== undefined && <Navigation {...props} />}
      <main id="content" tabindex={-1}>
        {flash !== undefined && (
          <p class={`flash ${flash.kind}`} role="status" tabindex={-1} data-flash>
            {flash.text}
          </p>
        )}
        <LiveNote {...props} />
        <div id="live" class="stack" data-version={signedIn?.version}>
          {children}
        </div>
      </main>
      <footer class="site-footer">{texts.frame.footer}</footer>
    </Document>
  )
}

/** What the script shows; without script it stays hidden. */
function LiveNote({ signedIn }: LayoutProps) {
  const { texts, here } = useView()
  if (signedIn?.version === undefined) return null
  const { stale, signedOut } = texts.frame
  return (
    <p class="live-note" role="status" data-live-note>
      <a href={here} data-stale hidden>
        {stale}
      </a>
      <a href={here} data-signed-out hidden>
        {signedOut}
      </a>
    </p>
  )
}

function Header({ signedIn }: LayoutProps) {
  const view = useView()
  const texts = view.texts.frame
  return (
    <header class="site-header actions">
      <a class="brand actions" href="/">
        <img src={assets.urlOf('icon.svg')} alt="" width={30} height={30} />
        <span>
          <strong>Cofre</strong> {texts.name}
        </span>
        <span class="badge waiting">{texts.sandbox}</span>
      </a>
      {signedIn !== undefined && signedIn.aheadMs > 0 && (
        <a href="/clock">
          {fill(texts.ahead, { duration: formatDuration(signedIn.aheadMs, view.language) })}
        </a>
      )}
      <div class="header-end actions end">
        {signedIn !== undefined && (
          <span class="minor">
            <span class="visually-hidden">{texts.store} </span>
            <code>{signedIn.storeId}</code>
          </span>
        )}
        <LanguageLink language={view.language} here={view.here} label={texts.otherLanguage} />
        {signedIn !== undefined && (
          <PostForm action="/sign-out">
            <button class="link">{texts.signOut}</button>
          </PostForm>
        )}
      </div>
    </header>
  )
}

function Navigation({ page }: LayoutProps) {
  const texts = useView().texts.frame
  return (
    <nav class="site-nav menu" aria-label={texts.navigation}>
      {Object.entries(NAVIGATION).map(([group, names]) => (
        <section>
          <h2>{texts.groups[group as keyof typeof NAVIGATION]}</h2>
          <ul>
            {names.map((name) => (
              <li>
                <a href={`/${name}`} aria-current={name === page ? 'page' : undefined}>
                  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                    <use href={`${assets.urlOf('icons.svg')}#${name}`} />
                  </svg>
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
