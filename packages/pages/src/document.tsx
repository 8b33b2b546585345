import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Child, PropsWithChildren } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Assets } from './assets.js'
import { LANGUAGES, type Language, languageAddress } from './language.js'

interface DocumentProps {
  readonly title: string
  readonly language: Language
  readonly assets: Assets
  /** The site's stylesheets, over `base.css`. */
  readonly styles: readonly string[]
  /** Text of the link that leads a keyboard past the header to `#content`. */
  readonly skipToContent: string
  /** More elements of the head: scripts. */
  readonly head?: Child
  readonly class?: string
}

/** The frame of every page. Its `main` has the id `content`. */
export function Document(props: PropsWithChildren<DocumentProps>) {
  const { title, language, assets, styles, skipToContent, head, children } = props
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href={assets.urlOf('icon.svg')} type="image/svg+xml" />
        {['base.css', ...styles].map((name) => (
          <link rel="stylesheet" href={assets.urlOf(name)} />
        ))}
        <script src={assets.urlOf('base.js')} defer></script>
        {head}
      </head>
      <body class={props.class}>
        <a class="skip-link button" href="#content">
          {skipToContent}
        </a>
        {children}
      </body>
    </html>
  )
}

interface LanguageLinkProps {
  readonly language: Language
  /** Path and query of the page. */
  readonly here: string
  /** Name of the other language, in that language. */
  readonly label: string
  /** Prefix of the site's addresses, as `/pay`. */
  readonly root?: string
}

export function LanguageLink({ language, here, label, root }: LanguageLinkProps) {
  const other = LANGUAGES.find((candidate) => candidate !== language) ?? language
  return (
    <a href={languageAddress(other, here, root)} lang={other} hreflang={other}>
      {label}
    </a>
  )
}

interface NoticeProps {
  readonly title: string
  readonly text: string
  /** Set if the notice is the whole page. */
  readonly level?: 'page'
}

/** A notice that explains why there is nothing to show. Its children offer the next step. */
export function Notice({ title, text, level, children }: PropsWithChildren<NoticeProps>) {
  return (
    <section class="notice">
      {level === 'page' ? <h1>{title}</h1> : <h2>{title}</h2>}
      <p>{text}</p>
      {children}
    </section>
  )
}

/** Answers with a whole document. Pages show what one visitor did, so no cache keeps them. */
export function sendDocument(c: Context, document: Child, status: ContentfulStatusCode = 200) {
  c.header('Cache-Control', 'no-store')
  return c.html(html`<!doctype html>${document}`, status)
}
