import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Messages, Notice } from '../language/messages.js'
import type { ShopContext } from '../shop-context.js'
import { renderPage } from './render-page.js'

interface NoticePageProps {
  readonly notice: Notice
  readonly messages: Messages
}

/** A page with nothing but something to say and the way back. */
export function NoticePage({ notice, messages }: NoticePageProps) {
  return (
    <section class="frame narrow notice">
      <h1>{notice.title}</h1>
      <p>{notice.text}</p>
      <p>
        <a class="button" href="/">
          {messages.shop.backToShop}
        </a>
      </p>
    </section>
  )
}

interface ShownNotice {
  readonly name: 'notFound' | 'notAForm' | 'tooLarge'
  readonly status: ContentfulStatusCode
}

/** Answers with a page that says why there is nothing to show. */
export function renderNotice(c: ShopContext, { name, status }: ShownNotice) {
  const { messages } = c.var
  const notice = messages.shop[name]
  const body = <NoticePage notice={notice} messages={messages} />
  return renderPage(c, { title: notice.title, body, status })
}
