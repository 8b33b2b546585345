/** Languages of the fields. */
export type CardFieldsLanguage = 'pt-BR' | 'en' | 'es'

/** Options of {@link CardFields}. */
export interface CardFieldsOptions {
  /** Id of the shop's store, the only one that may pay with the tokens. */
  readonly store: string
  /**
   * Address of the vault. The script tag takes the directory it was loaded from; the ES module has
   * no address of its own and needs it.
   */
  readonly baseUrl?: string
  /**
   * `security-code`: only the security code of a saved card. The frame has one input, `cvv`, and
   * `getDirectToken` returns the token for `payment-info.security-code-token`. Default: a card.
   */
  readonly element?: 'security-code'
  /** Default: the page's (`<html lang>`), or else Portuguese. */
  readonly language?: CardFieldsLanguage
  /** `auto`, the default, follows the CSS property `color-scheme` of the element. */
  readonly colorScheme?: 'light' | 'dark' | 'auto'
  /** Colours, sizes and a font, by their documented names; others are ignored. */
  readonly style?: Readonly<Record<string, string>>
  /** The frame's title for screen readers; default: "Card details", or "Security code". */
  readonly title?: string
  /** @internal Only Cofre's payment page frames them; a shop's page can't. */
  readonly paymentPage?: boolean
}

/** Parsed {@link CardFieldsOptions}. */
export interface FrameSettings {
  /** Address of the page in the frame. */
  readonly url: string
  readonly title: string
  readonly language: CardFieldsLanguage
  /** Shown in place of a frame that does not answer. */
  readonly failureText: string
  /** Values of the CSS property `color-scheme`. */
  readonly colorScheme: 'light' | 'dark' | 'light dark'
  readonly style: Readonly<Record<string, string>>
}

const TEXTS: Readonly<
  Record<CardFieldsLanguage, readonly [title: string, codeTitle: string, failure: string]>
> = {
  'pt-BR': [
    'Dados do cartão',
    'Código de segurança',
    'Não foi possível carregar os campos do cartão. Verifique sua conexão e recarregue a página, ou pague de outra forma.',
  ],
  en: [
    'Card details',
    'Security code',
    'The card fields could not be loaded. Check your connection and reload the page, or pay another way.',
  ],
  es: [
    'Datos de la tarjeta',
    'Código de seguridad',
    'No se pudieron cargar los campos de la tarjeta. Revisa tu conexión y recarga la página, o paga de otra forma.',
  ],
}

/** A page without types may name an unsupported language. */
function languageOf(name: string): CardFieldsLanguage {
  const [primary] = name.toLowerCase().split('-')
  return primary === 'en' || primary === 'es' ? primary : 'pt-BR'
}

/** Pages without a colour scheme, in the property or its meta element, are light. */
function colorSchemeOf(element: Element): FrameSettings['colorScheme'] {
  const { colorScheme } = getComputedStyle(element)
  const meta = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')
  const named = colorScheme === 'normal' ? (meta?.content ?? '') : colorScheme
  if (!named.includes('dark')) return 'light'
  return named.includes('light') ? 'light dark' : 'dark'
}

/** A page without types may pass a number; only text can be sent. */
const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)]

/** @throws TypeError when the vault's address or the store is missing */
export function readOptions(
  options: CardFieldsOptions,
  element: Element,
  vaultUrl: string,
): FrameSettings {
  // Own properties only: a page that pollutes Object.prototype must not redirect cards.
  const own: CardFieldsOptions & { __proto__: null } = { __proto__: null, ...options }
  const { store, baseUrl = vaultUrl, colorScheme = 'auto', element: only, style } = own
  if (!store || !baseUrl) throw new TypeError('CardFields: no ' + (store ? 'baseUrl' : 'store'))
  const language = languageOf(own.language ?? document.documentElement.lang)
  const [title, codeTitle, failureText] = TEXTS[language]
  const scheme = colorScheme === 'auto' ? colorSchemeOf(element) : colorScheme
  const folder = own.paymentPage ? '/payment-page' : only ? '/' + only : ''
  const page = baseUrl.replace(/\/+$/, '') + '/fields' + folder
  const query = new URLSearchParams({ store, language, 'color-scheme': scheme })
  return {
    url: new URL(page + '?' + query.toString(), document.baseURI).href,
    title: own.title ?? (only ? codeTitle : title),
    language,
    failureText,
    colorScheme: scheme,
    style: Object.fromEntries(Object.entries(style ?? {}).map(asText)),
  }
}
