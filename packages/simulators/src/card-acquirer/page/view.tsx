import {
  Document,
  type Language,
  LanguageLink,
  formatTime,
  messages,
  openAssets,
} from '@cofre/pages'
import type { PropsWithChildren } from 'hono/jsx'
import en from './en.json' with { type: 'json' }
import pt from './pt-BR.json' with { type: 'json' }

export type Texts = typeof en

export const TEXTS: Readonly<Record<Language, Texts>> = messages({ 'pt-BR': pt, en })

export const assets = openAssets(new URL('../../../assets/', import.meta.url))

/** What every part of the page needs to know of its reader. */
export interface View {
  /** The page's, with its acquirer's. */
  readonly name: string
  readonly language: Language
  readonly texts: Texts
  readonly csrfToken: string
}

interface LayoutProps {
  readonly view: View
  readonly title: string
}

export function Layout({ view, title, children }: PropsWithChildren<LayoutProps>) {
  const { name, texts, language } = view
  return (
    <Document
      title={title === name ? title : `${title} - ${name}`}
      language={language}
      assets={assets}
      styles={['bank.css']}
      skipToContent={texts.skipToContent}
    >
      <header class="site-header">
        <a href="/">{name}</a>
        <LanguageLink language={language} here="/" label={texts.otherLanguage} />
      </header>
      <main id="content" tabindex={-1}>
        {children}
      </main>
    </Document>
  )
}

interface PostFormProps {
  readonly view: View
  readonly action: string
}

/** A form that changes something, with the token of its browser. */
export function PostForm({ view, action, children }: PropsWithChildren<PostFormProps>) {
  return (
    <form method="post" action={action} class="bank-form">
      <input type="hidden" name="csrf" value={view.csrfToken} />
      {children}
    </form>
  )
}

export function Time({ view, ms }: { readonly view: View; readonly ms: number }) {
  const text = formatTime(ms, view.language, { dateStyle: 'short', timeStyle: 'medium' })
  return <time datetime={new Date(ms).toISOString()}>{text}</time>
}
