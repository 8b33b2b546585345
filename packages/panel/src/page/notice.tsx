import type { PropsWithChildren } from 'hono/jsx'

interface NoticeProps {
  readonly title: string
  readonly text: string
  readonly level?: 'page'
}

/** What is said where there is nothing to show, with what to do about it. */
export function Notice({ title, text, level, children }: PropsWithChildren<NoticeProps>) {
  return (
    <section class="notice">
      {level === 'page' ? <h1>{title}</h1> : <h2>{title}</h2>}
      <p>{text}</p>
      {children}
    </section>
  )
}
