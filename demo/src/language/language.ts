export const LANGUAGES = ['pt-BR', 'en-US'] as const
/** As the API takes it in `transaction.language`. */
export type Language = (typeof LANGUAGES)[number]

export const DEFAULT_LANGUAGE: Language = 'pt-BR'

export function parseLanguage(text: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === text)
}
