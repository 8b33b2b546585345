import { type Language, fill, messages } from '@cofre/pages'
import en from './en.json' with { type: 'json' }
import pt from './pt-BR.json' with { type: 'json' }
import { formatCount } from './format.js'

export type Texts = typeof en

/** Every text of the panel. */
export const TEXTS: Readonly<Record<Language, Texts>> = messages({ 'pt-BR': pt, en })

/** A page that the navigation leads to. */
export type PageName = keyof Texts['frame']['pages']

/** A text with its number: `1 attempt`, `2 attempts`. */
export function countText(
  texts: { readonly one: string; readonly other: string },
  count: number,
  language: Language,
): string {
  return count === 1 ? texts.one : fill(texts.other, { count: formatCount(count, language) })
}
