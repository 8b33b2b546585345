export const LANGUAGES = ['pt-BR', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

const DEFAULT_LANGUAGE: Language = 'pt-BR'

/** Of a language range only the language counts: who reads `pt-PT` reads `pt-BR`. */
const KNOWN_TAGS: ReadonlyMap<string, Language> = new Map([
  ['pt', 'pt-BR'],
  ['en', 'en'],
  ['*', DEFAULT_LANGUAGE],
])
const RANGE = /^([a-z]+|\*)(?:-[a-z0-9-]+)?\s*(?:;\s*q=(\d(?:\.\d+)?))?$/i

export function parseLanguage(text: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === text)
}

/** The first of the panel's languages that a browser prefers, by its `Accept-Language` (RFC 9110, 12.5.4). */
export function preferredLanguage(accepted: string): Language {
  const [preferred] = accepted
    .split(',')
    .map(parseRange)
    .filter(({ tag, weight }) => weight > 0 && KNOWN_TAGS.has(tag))
    .toSorted((one, other) => other.weight - one.weight)
  return KNOWN_TAGS.get(preferred?.tag ?? '*') ?? DEFAULT_LANGUAGE
}

function parseRange(text: string): { readonly tag: string; readonly weight: number } {
  const [, tag = '', weight = '1'] = RANGE.exec(text.trim()) ?? []
  return { tag: tag.toLowerCase(), weight: Number(weight) }
}

/** The same texts in every language: one that a language misses does not compile. */
export type Translated<Texts> = Readonly<Record<Language, Texts>>

export function translated<Texts>(
  texts: { readonly 'pt-BR': Texts } & Translated<NoInfer<Texts>>,
): Translated<Texts> {
  return texts
}
