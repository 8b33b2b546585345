import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type PanelContext, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { takeFlash } from './flash.js'
import { Layout, type SignedIn } from './layout.js'
import { Notice } from './notice.js'
import { type PageName, pageMessages } from './page-messages.js'

/** A page before it has its frame. */
export interface PanelPage {
  readonly title: string
  readonly body: Child
  /** Where it is in the navigation. */
  readonly page?: PageName
  readonly status?: ContentfulStatusCode
  /** What it shows is gone once it changes, so it does not follow what happens. */
  readonly still?: boolean
}

/** Answers with a whole document. Pages show what one store did, so nobody may keep them. */
export async function renderPage(c: PanelContext, deps: PanelDeps, panelPage: PanelPage) {
  const { title, body, page, status = 200, still = false } = panelPage
  const document = (
    <Layout
      title={title}
      view={viewOf(c)}
      page={page}
      flash={takeFlash(c, deps)}
      signedIn={await signedIn(c, deps, still)}
    >
      {body}
    </Layout>
  )
  c.header('Cache-Control', 'no-store')
  return c.html(html`<!doctype html>${document}`, status)
}

async function signedIn(
  c: PanelContext,
  { desk }: PanelDeps,
  still: boolean,
): Promise<SignedIn | undefined> {
  const { session } = c.var
  if (session === undefined) return undefined
  return {
    storeId: session.storeId,
    aheadMs: desk.clock.offsetMs(),
    version: still ? undefined : await desk.version(session.storeId),
  }
}

type NoticeName =
  'notFound' | 'brokenDown' | 'unavailable' | 'formRefused' | 'notAForm' | 'tooLarge'

/** Answers with a page that says why there is nothing to show. */
export function renderNotice(
  c: PanelContext,
  deps: PanelDeps,
  { name, status }: { readonly name: NoticeName; readonly status: ContentfulStatusCode },
) {
  const texts = pageMessages[c.var.language]
  const { title, text } = texts[name]
  const body = (
    <Notice title={title} text={text} level="page">
      <p>
        <a class="button" href="/transactions">
          {texts.toTransactions}
        </a>
      </p>
    </Notice>
  )
  return renderPage(c, deps, { title, body, status, still: true })
}
