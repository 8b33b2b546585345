import type { Environment } from '@cofre/contracts'
import { Document, LanguageLink, fill, openAssets } from '@cofre/pages'
import type { PropsWithChildren } from 'hono/jsx'
import { formatDuration } from '../visit/format.js'
import type { ShownFlash } from './flash.js'
import { type PageFrame, SECTIONS } from '../visit/shown-page.js'
import { PostForm } from '../part/parts.js'
import { useView } from '../visit/visit.js'

export const assets = openAssets(new URL('../../assets/', import.meta.url))

/** The frame's facts about the signed-in reader. */
export interface SignedIn {
  /** The person's name; undefined in a session opened with a store's secret. */
  readonly name: string | undefined
  /** Undefined outside the stores. */
  readonly storeId?: string
  /** The store's name, for a person. */
  readonly storeName?: string
  /** The same store in the other environment, if the reader may see both. */
  readonly other: { readonly environment: Environment; readonly href: string } | undefined
  /** Milliseconds by which the sandbox is ahead of the machine. */
  readonly aheadMs: number
  /** Version of the page's content; undefined for a page that must not refresh itself. */
  readonly version: string | undefined
}

interface LayoutProps {
  readonly title: string
  readonly page: PageFrame | undefined
  readonly flash: ShownFlash | undefined
  /** Undefined before the sign-in. */
  readonly signedIn: SignedIn | undefined
}

/** The frame of every page. */
export function Layout(props: PropsWithChildren<LayoutProps>) {
  const { title, flash, signedIn, children } = props
  const { at, environment, language, texts } = useView()
  return (
    <Document
      title={`${title} · Cofre, ${texts.frame.name}`}
      language={language}
      assets={assets}
      styles={['panel.css']}
      skipToContent={texts.frame.skipToContent}
      head={<script src={assets.urlOf('panel.js')} defer></script>}
      class={signedIn?.storeId === undefined ? 'signed-out' : 'signed-in'}
    >
      <Header {...props} />
      {signedIn?.storeId !== undefined && <Navigation {...props} />}
      <main id="content" tabindex={-1}>
        {flash !== undefined && (
          <p class={`flash ${flash.kind}`} role="status" tabindex={-1} data-flash>
            {flash.text}
          </p>
        )}
        <LiveNote {...props} />
        <div
          id="live"
          class="stack"
          data-version={signedIn?.version}
          data-events={signedIn?.version && at('/changes')}
        >
          {children}
        </div>
      </main>
      <footer class="site-footer">
        {environment === 'sandbox' ? texts.frame.footer : texts.frame.productionFooter}
      </footer>
    </Document>
  )
}

/** Shown by the script; hidden without one. */
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
          <strong>Cofre</strong> <span class="console">{texts.name}</span>
        </span>
        <EnvironmentBadge />
      </a>
      {signedIn?.other !== undefined && (
        <a href={signedIn.other.href}>{texts.goTo[signedIn.other.environment]}</a>
      )}
      {signedIn !== undefined && signedIn.aheadMs > 0 && (
        <a class="ahead" href={view.at('/clock')}>
          {fill(texts.ahead, { duration: formatDuration(signedIn.aheadMs, view.language) })}
        </a>
      )}
      <div class="header-end actions end">
        {signedIn?.name !== undefined && (
          <a href="/me">
            <span class="visually-hidden">{texts.me} </span>
            {signedIn.name}
          </a>
        )}
        {signedIn?.storeId !== undefined && (
          <span class="minor" title={signedIn.storeId}>
            <span class="visually-hidden">{texts.store} </span>
            {signedIn.storeName ?? <code>{signedIn.storeId}</code>}
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

/** Before the sign-in, there is no environment. */
function EnvironmentBadge() {
  const { environment, texts } = useView()
  if (environment === undefined) return null
  const kind = environment === 'sandbox' ? 'waiting' : 'good'
  return <span class={`badge ${kind}`}>{texts.frame[environment]}</span>
}

/** The pages that the reader may see. */
function Navigation({ page }: LayoutProps) {
  const view = useView()
  const texts = view.texts.frame
  const mine = view.pages.filter(({ permission }) => view.may(permission))
  const sections = SECTIONS.map((section) => ({
    section,
    shown: mine.filter((one) => one.section === section),
  }))
  return (
    <nav class="site-nav menu" aria-label={texts.navigation}>
      {sections.map(
        ({ section, shown }) =>
          shown.length > 0 && (
            <section>
              <h2>{texts.groups[section]}</h2>
              <ul>
                {shown.map((one) => (
                  <li>
                    <a
                      href={view.at(one.path)}
                      aria-current={one.path === page?.path ? 'page' : undefined}
                    >
                      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                        <path d={one.icon} />
                      </svg>
                      {one.texts[view.language].menu}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </nav>
  )
}
