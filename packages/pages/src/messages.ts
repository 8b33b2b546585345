import type { Language } from './language.js'

/** The same texts in every language, usually from JSON files. A missing text is a compile error. */
export function messages<Texts>(
  texts: { readonly 'pt-BR': Texts } & Readonly<Record<Language, NoInfer<Texts>>>,
): Readonly<Record<Language, Texts>> {
  return texts
}

/** A count with its noun: `1 attempt`, `2 attempts`. */
export function countText(
  texts: { readonly one: string; readonly other: string },
  count: number,
  language: Language,
): string {
  if (count === 1) return texts.one
  return fill(texts.other, { count: new Intl.NumberFormat(language).format(count) })
}

/**
 * A text with its placeholders filled: `fill('{count} of {all}', { count: 1, all: 2 })`.
 * @throws TypeError when a value is missing.
 */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new TypeError(`no value for {${name}} of ${text}`)
    return String(value)
  })
}
