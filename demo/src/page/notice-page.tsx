import type { Messages, Notice } from '../language/messages.js'

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
