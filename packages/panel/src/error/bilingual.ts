/** A sentence in both languages. */
export interface Bilingual {
  readonly pt: string
  readonly en: string
}
