import {
  Document,
  type Language,
  LanguageLink,
  Notice,
  formatTime,
  openAssets,
  sendDocument,
} from '@cofre/pages'
import type { Context } from 'hono'
import type { PropsWithChildren } from 'hono/jsx'

export const assets = openAssets(new URL('../../../assets/', import.meta.url))

/** The texts that every simulator's page has. */
interface PageTexts {
  readonly skipToContent: string
  readonly otherLanguage: string
  readonly back: string
  /** Texts of successful and of refused actions, by their names in addresses. */
  readonly done: Readonly<Record<string, string>>
  readonly refused: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<Problem, { readonly title: string; readonly text: string }>>
}

type Problem = 'form' | 'missing'

export interface Reader {
  readonly language: Language
  readonly csrfToken: string
  /** The page's own path. */
  readonly here: string
}

export interface PageView extends Reader {
  /** The simulator's name, for people. */
  readonly name: string
  readonly texts: PageTexts
}

interface ViewProps {
  readonly view: PageView
}

interface LayoutProps extends ViewProps {
  readonly title: string
}

export function Layout({ view, title, children }: PropsWithChildren<LayoutProps>) {
  const { name, texts, language, here } = view
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
        <LanguageLink language={language} here={here} label={texts.otherLanguage} />
      </header>
      <main id="content" tabindex={-1}>
        {children}
      </main>
    </Document>
  )
}

interface PostFormProps extends ViewProps {
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

export function Time({ view, ms }: ViewProps & { readonly ms: number }) {
  return <time datetime={new Date(ms).toISOString()}>{timeText(view, ms)}</time>
}

export function timeText({ language }: PageView, ms: number): string {
  return formatTime(ms, language, { dateStyle: 'short', timeStyle: 'medium' })
}

/** The result of an action, by its key in `done` or `refused`. */
export function Flash({ view, flash }: ViewProps & { readonly flash: string }) {
  const { done, refused } = view.texts
  const isDone = Object.hasOwn(done, flash)
  if (!isDone && !Object.hasOwn(refused, flash)) return null
  return (
    <p class={`flash ${isDone ? 'good' : 'bad'}`} role="status">
      {isDone ? done[flash] : refused[flash]}
    </p>
  )
}

export function BackLink({ view }: ViewProps) {
  return (
    <p>
      <a class="button quiet" href="/">
        {view.texts.back}
      </a>
    </p>
  )
}

export function problemPage(c: Context, view: PageView, name: Problem) {
  const problem = view.texts.problems[name]
  return sendDocument(
    c,
    <Layout view={view} title={problem.title}>
      <Notice {...problem} level="page">
        <BackLink view={view} />
      </Notice>
    </Layout>,
    name === 'form' ? 403 : 404,
  )
}
