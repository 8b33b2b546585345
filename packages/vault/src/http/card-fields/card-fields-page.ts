import { html } from 'hono/html'
import texts from './card-fields-texts.json' with { type: 'json' }

const COLOR_SCHEMES = ['light', 'dark', 'light dark'] as const

/** The parameters of the page in the frame. None is secret. */
export interface CardFieldsPage {
  readonly language: keyof typeof texts
  readonly colorScheme: (typeof COLOR_SCHEMES)[number]
  /** The inputs: a card's, or the security code of a saved card. */
  readonly element: 'card' | 'security-code'
  /** Origins that the frame's program exchanges messages with. */
  readonly origins: readonly string[]
  readonly showsBin: boolean
  /** Addresses of the frame's program and its style, relative to the page. */
  readonly script: string
  readonly style: string
}

/** The query's language; Portuguese if the page has no such language. */
export function languageOf(asked: string | undefined): CardFieldsPage['language'] {
  return asked === 'en' || asked === 'es' ? asked : 'pt-BR'
}

/** The query's colours; light ones if the page has no such scheme. */
export function colorSchemeOf(asked: string | undefined): CardFieldsPage['colorScheme'] {
  return COLOR_SCHEMES.find((known) => known === asked) ?? 'light'
}

/**
 * The page in the frame: a real form with visible labels, complete before its program runs. The
 * inputs have no name, so that the form can never send them.
 */
export function cardFieldsPage(page: CardFieldsPage) {
  const words = texts[page.language]
  const title = page.element === 'card' ? words.title : words.codeTitle
  return html`<!doctype html>
    <html
      lang="${page.language}"
      data-color-scheme="${page.colorScheme}"
      data-origins="${page.origins.join(' ')}"
      data-shows-bin="${String(page.showsBin)}"
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${page.style}" />
        <script src="${page.script}" defer></script>
      </head>
      <body>
        <form id="card" novalidate autocomplete="on" aria-label="${title}">
          ${
            page.element === 'card'
              ? html`${numberField(words)}
                  <div class="row">${expiryField(words)} ${cvvField(words)}</div>`
              : cvvField(words)
          }
          <input class="send" type="submit" tabindex="-1" aria-hidden="true" />
          <noscript>${words.noScript}</noscript>
        </form>
      </body>
    </html>`
}

type FieldTexts = (typeof texts)[keyof typeof texts]

function numberField(words: FieldTexts) {
  return html`<div class="field">
    <div class="head">
      <label for="number">${words.number}</label>
      <span id="brand" aria-live="polite"></span>
    </div>
    <input
      id="number"
      type="text"
      inputmode="numeric"
      autocomplete="cc-number"
      required
      spellcheck="false"
      aria-describedby="brand number-error"
    />
    <p
      id="number-error"
      class="error"
      aria-live="polite"
      data-empty="${words.numberEmpty}"
      data-wrong="${words.numberWrong}"
      data-refused="${words.numberRefused}"
    ></p>
  </div>`
}

function expiryField(words: FieldTexts) {
  return plainField({
    id: 'expiry',
    label: words.expiry,
    autocomplete: 'cc-exp',
    placeholder: words.expiryForm,
    empty: words.expiryEmpty,
    wrong: words.expiryWrong,
  })
}

function cvvField(words: FieldTexts) {
  return plainField({
    id: 'cvv',
    label: words.cvv,
    autocomplete: 'cc-csc',
    placeholder: '',
    empty: words.cvvEmpty,
    wrong: words.cvvWrong,
  })
}

type PlainField = Readonly<
  Record<'id' | 'label' | 'autocomplete' | 'placeholder' | 'empty' | 'wrong', string>
>

function plainField({ id, label, autocomplete, placeholder, empty, wrong }: PlainField) {
  return html`<div class="field">
    <div class="head"><label for="${id}">${label}</label></div>
    <input
      id="${id}"
      type="text"
      inputmode="numeric"
      autocomplete="${autocomplete}"
      required
      placeholder="${placeholder}"
      aria-describedby="${id}-error"
    />
    <p
      id="${id}-error"
      class="error"
      aria-live="polite"
      data-empty="${empty}"
      data-wrong="${wrong}"
    ></p>
  </div>`
}
