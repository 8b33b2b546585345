/** A sentence for people, in the languages of panel and documents. */
export interface BilingualText {
  readonly en: string
  readonly 'pt-BR': string
}
