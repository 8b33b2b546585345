import { Notice, sendDocument } from '@cofre/pages'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type PageName, TEXTS, type Texts } from '../text/texts.js'
import { takeFlash } from './flash.js'
import { Layout, type SignedIn } from './layout.js'
import type { PanelParts } from './panel-parts.js'
import { storeVersion } from './store-version.js'
import { type PanelContext, ViewContext, viewOf } from './visit.js'

/** A page before it has its frame. */
interface PanelPage {
  readonly title: string
  readonly body: Child
  /** Where it is in the navigation. */
  readonly page?: PageName
  readonly status?: ContentfulStatusCode
  /** What it shows is gone once it changes, so it does not follow changes. */
  readonly still?: boolean
}

/** Answers with a whole document. */
export async function renderPage(c: PanelContext, parts: PanelParts, shown: PanelPage) {
  const { title, body, page, status, still = false } = shown
  const document = (
    <ViewContext.Provider value={viewOf(c)}>
      <Layout
        title={title}
        page={page}
        flash={takeFlash(c, parts)}
        signedIn={await signedIn(c, parts, still)}
      >
        {body}
      </Layout>
    </ViewContext.Provider>
  )
  return sendDocument(c, document, status)
}

async function signedIn(
  c: PanelContext,
  parts: PanelParts,
  still: boolean,
): Promise<SignedIn | undefined> {
  if (c.var.session === undefined) return undefined
  const { storeId } = c.var.session
  return {
    storeId,
    aheadMs: parts.sandbox.clock.offsetMs(),
    version: still ? undefined : await storeVersion(parts, storeId),
  }
}

const STATUSES = {
  notFound: 404,
  failed: 500,
  unavailable: 503,
  formRefused: 403,
  notAForm: 400,
  tooLarge: 413,
  tooManyFiles: 429,
} as const satisfies Record<keyof Texts['notices'], ContentfulStatusCode>

/** Answers with a page that says why there is nothing to show. */
export function renderNotice(c: PanelContext, parts: PanelParts, name: keyof typeof STATUSES) {
  const { notices, frame } = TEXTS[c.var.language]
  const notice = notices[name]
  const body = (
    <Notice {...notice} level="page">
      <p>
        <a class="button quiet" href="/transactions">
          {frame.toTransactions}
        </a>
      </p>
    </Notice>
  )
  return renderPage(c, parts, { title: notice.title, body, status: STATUSES[name], still: true })
}
