import {
  Document,
  type Language,
  LanguageLink,
  Notice as NoticeSection,
  type Site,
  languageOf,
  sendDocument,
} from '@cofre/pages'
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { TEXTS, type Texts } from '../text/texts.js'
import { ViewContext, ROOT, assets, useView } from './view.js'

/** The content of a page. */
export interface Page {
  readonly title: string
  readonly body: Child
  readonly status?: ContentfulStatusCode
  /** Scripts of this page. */
  readonly head?: Child
}

/** The store of the page. */
export interface Owner {
  readonly storeName: string
  /** The link's language, if it has one. */
  readonly language: string
}

export type RenderPage = (
  c: Context,
  owner: Owner | undefined,
  page: (texts: Texts, language: Language) => Page,
) => Response | Promise<Response>

/** Answers with the pages of a site. */
export function createRenderPage(site: Site): RenderPage {
  return (c, owner, pageOf) => {
    const language = languageOf(c, site, owner?.language)
    const texts = TEXTS[language]
    const page = pageOf(texts, language)
    // A refused form has the address of its link.
    const view = { language, texts, here: c.req.path }
    const document = (
      <ViewContext.Provider value={view}>
        <Layout {...page} storeName={owner?.storeName} />
      </ViewContext.Provider>
    )
    return sendDocument(c, document, page.status)
  }
}

type LayoutProps = Omit<Page, 'status'> & { readonly storeName: string | undefined }

function Layout({ title, head, body, storeName }: LayoutProps) {
  const { language, texts, here } = useView()
  const { page } = texts
  return (
    <Document
      title={storeName === undefined ? title : `${title} · ${storeName}`}
      language={language}
      assets={assets}
      styles={['payment-page.css']}
      skipToContent={page.skipToContent}
      head={
        <>
          <meta name="robots" content="noindex, nofollow" />
          {head}
        </>
      }
    >
      <header class="site-header">
        <p class="frame">
          {storeName !== undefined && (
            <>
              <span class="minor">{page.payTo}</span> <strong>{storeName}</strong>
            </>
          )}
        </p>
      </header>
      <main id="content" class="frame stack" tabindex={-1}>
        {body}
      </main>
      <footer class="site-footer">
        <p class="frame">
          <LanguageLink language={language} here={here} label={page.otherLanguage} root={ROOT} />
        </p>
      </footer>
    </Document>
  )
}

type NoticeName = 'missing' | 'form' | 'unavailable' | 'failed'

const NOTICE_STATUS = { missing: 404, form: 400, unavailable: 503, failed: 500 } as const

/** Answers with a page that contains only a notice. */
export function renderNotice(
  c: Context,
  render: RenderPage,
  name: NoticeName,
): Response | Promise<Response> {
  return render(c, undefined, ({ notice }) => ({
    title: notice[name].title,
    body: (
      <NoticeSection {...notice[name]} level="page">
        {name !== 'missing' && (
          <a class="button" href={c.req.path}>
            {name === 'form' ? notice.back : notice.again}
          </a>
        )}
      </NoticeSection>
    ),
    status: NOTICE_STATUS[name],
  }))
}
