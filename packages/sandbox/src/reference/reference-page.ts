import { type ExplanationLanguage, REFERENCE_PATH } from '@cofre/contracts/errors'
import { html } from 'hono/html'
import { type Urls, referenceFrame } from './reference-frame.js'
import texts from './reference-page.json' with { type: 'json' }

/**
 * The API's reference, with requests to try. The fields for store and secret are in no form, so
 * nothing sends them.
 */
export function referencePage(language: ExplanationLanguage, { urlOf }: Urls) {
  const text = texts[language]
  return referenceFrame({
    language,
    here: REFERENCE_PATH,
    title: text.title,
    urlOf,
    head: html`<link rel="stylesheet" href="${urlOf('swagger-ui.css')}" />
      <script src="${urlOf('swagger-ui-bundle.js')}" defer></script>
      <script src="${urlOf('docs.js')}" type="module"></script>`,
    // The reference has its own `main`.
    content: (heading) =>
      html`<section class="reading" aria-labelledby="content">
          ${heading}
          <div class="card signing">
            <p>${text.introduction}</p>
            <div class="fields">
              <label>${text.store}<input id="store" autocomplete="off" spellcheck="false" /></label>
              <label>${text.secret}<input id="secret" type="password" autocomplete="off" /></label>
            </div>
            <p class="hint">${text.promise}</p>
            <p id="insecure" role="alert" hidden>${text.insecure}</p>
            <noscript><p>${text.script}</p></noscript>
          </div>
          <h2 class="visually-hidden">${text.operations}</h2>
        </section>
        <div id="reference" lang="en"></div>`,
  })
}
