import { ERRORS_PATH, type ExplanationLanguage, REFERENCE_PATH } from '@cofre/contracts/errors'
import { type Assets, languageAddress } from '@cofre/pages'
import { html } from 'hono/html'
import texts from './reference-frame.json' with { type: 'json' }

export type Fragment = ReturnType<typeof html>
export type Urls = Pick<Assets, 'urlOf'>

interface FramedPage extends Urls {
  readonly language: ExplanationLanguage
  readonly here: typeof REFERENCE_PATH | typeof ERRORS_PATH
  readonly title: string
  /** Additional elements of the head, before the frame's own style, which takes precedence. */
  readonly head?: Fragment
  /** Contains the only `main`, with this heading. */
  readonly content: (heading: Fragment) => Fragment
}

/** The frame of the reference's pages, in the console's design. */
export function referenceFrame({ language, here, title, head, content, urlOf }: FramedPage) {
  const text = texts[language]
  const other = language === 'en' ? 'pt-BR' : 'en'
  const pages = [
    [REFERENCE_PATH, text.reference],
    [ERRORS_PATH, text.errors],
    ['/openapi.json', text.document],
  ] as const
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Cofre</title>
        <link rel="icon" href="${urlOf('icon.svg')}" type="image/svg+xml" />
        ${head ?? ''}
        <link rel="stylesheet" href="${urlOf('docs.css')}" />
      </head>
      <body>
        <a class="skip-link button" href="#content">${text.skipToContent}</a>
        <header class="site-header actions">
          <a class="brand actions" href="${REFERENCE_PATH}">
            <img src="${urlOf('icon.svg')}" alt="" width="30" height="30" />
            <span><strong>Cofre</strong> ${text.name}</span>
            <span class="badge waiting">${text.sandbox}</span>
          </a>
          <nav class="menu end" aria-label="${text.navigation}">
            ${pages.map(
              ([address, label]) =>
                html`<a href="${address}" ${address === here ? html`aria-current="page"` : ''}
                  >${label}</a
                >`,
            )}
            <a href="${languageAddress(other, here)}" lang="${other}">${text.otherLanguage}</a>
          </nav>
        </header>
        ${content(html`<h1 id="content" tabindex="-1">${title}</h1>`)}
      </body>
    </html>`
}
