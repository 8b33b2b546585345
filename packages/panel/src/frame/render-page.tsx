import { Notice, sendDocument } from '@cofre/pages'
import { isIn } from '@cofre/people'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { FRAME_TEXTS, type Texts } from '../visit/texts.js'
import type { PageFrame } from '../visit/shown-page.js'
import { consumeFlash } from './flash.js'
import { Layout, type SignedIn } from './layout.js'
import type { PanelParts } from '../visit/panel-parts.js'
import { addressIn } from '../model/console-gateway.js'
import { storeVersion } from '../visit/store-version.js'
import { type PanelContext, ViewContext, viewOf } from '../visit/visit.js'

/** A page before it has its frame. */
interface PanelPage {
  readonly title: string
  readonly body: Child
  /** The page's place in the navigation. */
  readonly page?: PageFrame
  readonly status?: ContentfulStatusCode
  /** Set if the content is lost on a change, so the page must not follow changes. */
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
        flash={consumeFlash(c, parts)}
        signedIn={await frameOf(c, parts, still)}
      >
        {body}
      </Layout>
    </ViewContext.Provider>
  )
  return sendDocument(c, document, status)
}

/** The frame's facts about the signed-in reader and the place. */
async function frameOf(
  c: PanelContext,
  parts: PanelParts,
  still: boolean,
): Promise<SignedIn | undefined> {
  const { entered, signedIn } = c.var
  if (signedIn === undefined) return undefined
  const { sandbox } = parts.environments
  const name = signedIn.kind === 'person' ? signedIn.session.name : undefined
  if (entered === undefined) return { name, aheadMs: 0, other: undefined, version: undefined }
  const { access, environment, storeId, storeName } = entered
  const isSandbox = environment === 'sandbox'
  const other = isSandbox ? 'production' : 'sandbox'
  const isBoth =
    access.kind === 'person' && isIn(access.scope, other) && parts.environments[other] !== undefined
  // A person's page doesn't refresh itself: that would keep the session alive.
  const isFollowing = isSandbox && name === undefined && !still && sandbox !== undefined
  return {
    name,
    storeId,
    ...(storeName !== undefined && { storeName }),
    aheadMs: isSandbox ? (sandbox?.tools.clock.offsetMs() ?? 0) : 0,
    other: isBoth
      ? { environment: other, href: addressIn({ environment: other, storeId }, '/payments') }
      : undefined,
    version: isFollowing
      ? await storeVersion({ ...sandbox, sandbox: sandbox.tools }, storeId)
      : undefined,
  }
}

const STATUSES = {
  notFound: 404,
  notAllowed: 403,
  failed: 500,
  unavailable: 503,
  formRefused: 403,
  notAForm: 400,
  tooLarge: 413,
  linkGone: 404,
  tooManyFiles: 429,
} as const satisfies Record<keyof Texts['notices'], ContentfulStatusCode>

/** Answers with a page that explains why there is nothing to show. */
export function renderNotice(c: PanelContext, parts: PanelParts, name: keyof typeof STATUSES) {
  const { notices, frame } = FRAME_TEXTS[c.var.language]
  const notice = notices[name]
  const body = (
    <Notice {...notice} level="page">
      <p>
        <a class="button quiet" href="/">
          {frame.toTransactions}
        </a>
      </p>
    </Notice>
  )
  return renderPage(c, parts, { title: notice.title, body, status: STATUSES[name], still: true })
}
