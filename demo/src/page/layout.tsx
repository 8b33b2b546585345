import { Document, LanguageLink, Notice, countText, sendDocument } from '@cofre/pages'
import type { Child, PropsWithChildren } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { countItems } from '../model/cart.js'
import type { Texts } from '../texts/texts.js'
import { Drawing, Icon, ViewContext, assets, useView } from './view.js'
import type { ShopContext } from './visitor.js'

interface Page {
  readonly title: string
  readonly body: Child
  readonly status?: ContentfulStatusCode
  /** Additions to the document's head: scripts. */
  readonly head?: Child
}

/** Responds with a whole document. */
export function renderPage(c: ShopContext, { title, body, status = 200, head }: Page) {
  const { shop, language, texts, session } = c.var
  const { pathname, search } = new URL(c.req.url)
  const cartCount = session === undefined ? 0 : countItems(session.cart)
  const document = (
    <ViewContext.Provider value={{ shop, language, texts, here: pathname + search, cartCount }}>
      <Layout title={title} head={head}>
        {body}
      </Layout>
    </ViewContext.Provider>
  )
  return sendDocument(c, document, status)
}

type NoticeName = 'notFound' | 'notAForm' | 'tooLarge'

/** Responds with a page that explains why there is nothing to show. */
export function renderNotice(c: ShopContext, name: NoticeName, status: ContentfulStatusCode) {
  const notice = c.var.texts.shop[name]
  return renderPage(c, { title: notice.title, body: <ShopNotice {...notice} />, status })
}

/** A page that is only a message and a link. */
export function ShopNotice(props: PropsWithChildren<Texts['shop']['notFound']>) {
  const { children, ...notice } = props
  const { texts } = useView()
  return (
    <div class="frame narrow">
      <Notice {...notice} level="page">
        {children ?? (
          <p>
            <a class="button" href="/">
              {texts.shop.backToShop}
            </a>
          </p>
        )}
      </Notice>
    </div>
  )
}

function Layout({ title, head, children }: PropsWithChildren<Pick<Page, 'title' | 'head'>>) {
  const { language, texts } = useView()
  return (
    <Document
      title={`${title} · ${texts.shop.name}`}
      language={language}
      assets={assets}
      styles={['shop.css']}
      skipToContent={texts.shop.skipToContent}
      head={head}
    >
      <Header />
      <main id="content" tabindex={-1}>
        {children}
      </main>
      <footer class="site-footer">
        <div class="frame">
          <SecurityNote>{texts.shop.securityNote}</SecurityNote>
          <p>
            {texts.shop.footer} <a href="/back-office">{texts.backOffice.title}</a>
          </p>
        </div>
      </footer>
    </Document>
  )
}

function Header() {
  const { shop: deps, language, texts, here, cartCount } = useView()
  const { shop } = texts
  const current = (path: string) => (here === path ? 'page' : undefined)
  return (
    <header class="site-header">
      <p class="demo-notice hint" data-testid="environment">
        {shop.demoNotice[deps.environment]}
      </p>
      <div class="frame row">
        <a class="brand actions" href="/">
          <Drawing name="mark" viewBox="0 0 40 40" class="mark" />
          <span>
            <strong>{shop.name}</strong>
            <small>{shop.tagline}</small>
          </span>
        </a>
        <nav class="menu" aria-label={shop.mainNavigation}>
          <a href="/" aria-current={current('/')}>
            {shop.catalogue}
          </a>
          <a href="/orders" aria-current={current('/orders')}>
            {shop.orders}
          </a>
          <LanguageLink language={language} here={here} label={shop.otherLanguage} />
          <a href="/cart" aria-current={current('/cart')}>
            <Icon name="cart" />
            <span class="nav-cart-word">{shop.cart}</span>
            <span class="visually-hidden"> {countText(shop.cartItems, cartCount, language)}</span>
            <span class="badge cart-count" aria-hidden="true" data-testid="cart-count">
              {cartCount}
            </span>
          </a>
        </nav>
      </div>
    </header>
  )
}

export function SecurityNote({ children }: PropsWithChildren) {
  return (
    <p class="security-note">
      <Icon name="lock" />
      <span>{children}</span>
    </p>
  )
}
