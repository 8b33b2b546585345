import { type ErrorName, errorCatalogue } from '@cofre/contracts'
import {
  ERRORS_PATH,
  type Explanation,
  type ExplanationLanguage,
  causesOf,
  explain,
  explainCause,
  namingPages,
} from '@cofre/contracts/errors'
import { languageAddress } from '@cofre/pages'
import { html, raw } from 'hono/html'
import texts from './errors-page.json' with { type: 'json' }
import { REFERENCE_PATH } from './reference-page.js'

type Fragment = ReturnType<typeof html>

/** All errors, a section for each code, without script: where `doc_url` of an error leads. */
export function errorsPage(language: ExplanationLanguage): Fragment {
  const text = texts[language]
  const other = language === 'en' ? 'pt-BR' : 'en'
  const groups = texts.groups.map(({ beginnings, title }) => ({
    title: title[language],
    codes: codesBeginningWith(beginnings),
  }))
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${text.title} · Cofre</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p>
            <a href="${REFERENCE_PATH}">${text.reference}</a> ·
            <a href="${languageAddress(other, ERRORS_PATH)}" lang="${other}">
              ${text.otherLanguage}
            </a>
          </p>
          <h1>${text.title}</h1>
          ${text.introduction.map((paragraph) => html`<p>${inline(paragraph)}</p>`)}
          ${groups.map(
            ({ title, codes }) =>
              html`<h2>${title}</h2>
                ${codes.map(([code, names]) => section(code, names, language))}`,
          )}
        </main>
      </body>
    </html>`
}

/** Names by their code, in the order of the codes. */
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
    ${explanations.map(paragraph)}
  </section>`
}

function paragraph({ meaning, advice }: Explanation): Fragment {
  return html`<p>${inline(meaning)} ${inline(advice)}</p>`
}

/** Markdown's code spans; links are named, as their pages are not served here. */
function inline(markdown: string): Fragment[] {
  return namingPages(markdown)
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}

export const STYLE = `
:root{color-scheme:light dark;background:canvas;color:canvastext;font:16px/1.5 system-ui,sans-serif}
body{margin:0;padding:1rem}
main{max-width:48rem;margin:0 auto}
h2{margin:2.5rem 0 0}
h3{margin:1.5rem 0 0;font-size:1rem;overflow-wrap:anywhere}
h3 small{font-weight:400;opacity:.75}
p{margin:.25rem 0}
code{font-size:.9em;overflow-wrap:anywhere}
section{scroll-margin-top:1rem}
section:target{outline:3px solid;outline-offset:.5rem}
`

// Apart from the page, whose layout would come between the tags: the policy's hash covers every
// character there.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)
