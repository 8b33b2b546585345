import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { countItems } from '../cart/cart.js'
import type { ShopContext } from '../shop-context.js'
import { Layout } from './layout.js'

/** A page before it has its frame. */
export interface Page {
  readonly title: string
  readonly body: Child
  readonly status?: ContentfulStatusCode
  /** What the document's head has besides the frame's own: scripts. */
  readonly head?: Child
}

/** Answers with a whole document. Pages show what one customer did, so nobody may keep them. */
export function renderPage(c: ShopContext, { title, body, status = 200, head }: Page) {
  const { language, messages, session } = c.var
  const cartCount = session === undefined ? 0 : countItems(session.cart)
  const document = (
    <Layout
      title={title}
      language={language}
      messages={messages}
      cartCount={cartCount}
      path={c.req.path}
      head={head}
    >
      {body}
    </Layout>
  )
  c.header('Cache-Control', 'no-store')
  return c.html(html`<!doctype html>${document}`, status)
}
