import { type ErrorName, errorCatalogue } from '@cofre/contracts'
import {
  ERRORS_PATH,
  type Explanation,
  type ExplanationLanguage,
  PAGE_LINK,
  causesOf,
  documentsAt,
  explain,
  explainCause,
} from '@cofre/contracts/errors'
import { html } from 'hono/html'
import texts from './errors-page.json' with { type: 'json' }
import { type Fragment, type Urls, referenceFrame } from './reference-frame.js'

/** All errors, a section for each code, without script: the target of an error's `doc_url`. */
export function errorsPage(language: ExplanationLanguage, { urlOf }: Urls) {
  const text = texts[language]
  const groups = texts.groups.map(({ beginnings, title }) => ({
    title: title[language],
    codes: codesBeginningWith(beginnings),
  }))
  return referenceFrame({
    language,
    here: ERRORS_PATH,
    title: text.title,
    urlOf,
    content: (heading) =>
      html`<main class="reading">
        ${heading}
        ${text.introduction.map((paragraph) => html`<p>${inline(paragraph, language)}</p>`)}
        ${groups.map(
          ({ title, codes }) =>
            html`<h2>${title}</h2>
              ${codes.map(([code, names]) => section(code, names, language))}`,
        )}
      </main>`,
  })
}

/** Error names by their code, in the order of the codes. */
function codesBeginningWith(beginnings: readonly string[]): [number, ErrorName[]][] {
  const names = Object.keys(errorCatalogue) as ErrorName[]
  return [...Map.groupBy(names, (name) => errorCatalogue[name].code)]
    .filter(([code]) => beginnings.some((beginning) => String(code).startsWith(beginning)))
    .toSorted(([one], [another]) => one - another)
}

function section(code: number, names: readonly ErrorName[], language: ExplanationLanguage) {
  const [name] = names
  const { key = name } = name === undefined ? {} : errorCatalogue[name]
  const statuses = [...new Set(names.map((each) => errorCatalogue[each].status))]
  const explanations = names.flatMap((each) => [
    explain(each, language),
    ...causesOf(each).map((cause) => explainCause(each, cause, language)),
  ])
  return html`<section id="${code}">
    <h3>
      <a href="#${code}">${code}</a> <code>${key}</code> <small>HTTP ${statuses.join(', ')}</small>
    </h3>
    ${explanations.map((explanation) => paragraph(explanation, language))}
  </section>`
}

function paragraph({ meaning, advice }: Explanation, language: ExplanationLanguage): Fragment {
  return html`<p>${inline(meaning, language)} ${inline(advice, language)}</p>`
}

/** Renders Markdown's links to pages of docs/, and its code spans. */
function inline(markdown: string, language: ExplanationLanguage): Fragment[] {
  const parts: Fragment[] = []
  let at = 0
  for (const { 0: link, 1: text = '', 2: page = '', index } of markdown.matchAll(PAGE_LINK)) {
    const address = documentsAt('', language) + page
    parts.push(...codeSpans(markdown.slice(at, index)), html`<a href="${address}">${text}</a>`)
    at = index + link.length
  }
  return [...parts, ...codeSpans(markdown.slice(at))]
}

function codeSpans(markdown: string): Fragment[] {
  return markdown
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}
