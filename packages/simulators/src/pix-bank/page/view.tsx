import {
  Document,
  type Language,
  LanguageLink,
  formatMoney,
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
  readonly language: Language
  readonly texts: Texts
  readonly csrfToken: string
  /** The page's own path. */
  readonly here: string
  readonly nowMs: number
}

interface LayoutProps {
  readonly view: View
  readonly title: string
}

export function Layout({ view, title, children }: PropsWithChildren<LayoutProps>) {
  const { texts, language } = view
  return (
    <Document
      title={title === texts.name ? title : `${title} - ${texts.name}`}
      language={language}
      assets={assets}
      styles={['bank.css']}
      skipToContent={texts.skipToContent}
    >
      <header class="site-header">
        <a href="/">{texts.name}</a>
        <LanguageLink language={language} here={view.here} label={texts.otherLanguage} />
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
  return <time datetime={new Date(ms).toISOString()}>{timeText(view, ms)}</time>
}

export function timeText({ language }: View, ms: number): string {
  return formatTime(ms, language, { dateStyle: 'short', timeStyle: 'medium' })
}

export function money({ language }: View, centavos: number): string {
  return formatMoney(centavos, language)
}
