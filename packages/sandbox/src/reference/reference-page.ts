import { ERRORS_PATH, type ExplanationLanguage } from '@cofre/contracts/errors'
import { type Assets, languageAddress } from '@cofre/pages'
import { html } from 'hono/html'
import texts from './reference-page.json' with { type: 'json' }

export const REFERENCE_PATH = '/docs'

/** The API's reference, with requests to try. Store and secret are no form: nothing sends them. */
export function referencePage(language: ExplanationLanguage, { urlOf }: Pick<Assets, 'urlOf'>) {
  const text = texts[language]
  const other = language === 'en' ? 'pt-BR' : 'en'
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${text.title} · Cofre</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${urlOf('swagger-ui.css')}" />
        <link rel="stylesheet" href="${urlOf('docs.css')}" />
        <script src="${urlOf('swagger-ui-bundle.js')}" defer></script>
        <script src="${urlOf('docs.js')}" type="module"></script>
      </head>
      <body>
        <header class="signing">
          <nav>
            <a href="${ERRORS_PATH}">${text.errors}</a>
            <a href="/openapi.json">${text.document}</a>
            <a href="${languageAddress(other, REFERENCE_PATH)}" lang="${other}">
              ${text.otherLanguage}
            </a>
          </nav>
          <h1>${text.title}</h1>
          <p>${text.introduction}</p>
          <div class="fields">
            <label>${text.store}<input id="store" autocomplete="off" spellcheck="false" /></label>
            <label>${text.secret}<input id="secret" type="password" autocomplete="off" /></label>
          </div>
          <p>${text.promise}</p>
          <p id="insecure" role="alert" hidden>${text.insecure}</p>
          <noscript><p>${text.script}</p></noscript>
        </header>
        <div id="reference" lang="en"></div>
      </body>
    </html>`
}
