/** A sentence in both languages. */
type RuleText = Readonly<Record<'en' | 'pt-BR', string>>

/** A rule of a card brand, an acquirer, a bank or the law, and how Cofre follows it. */
export interface RuleInForce {
  readonly rule: RuleText
  /** `2026-10-23`, `2026-10` or `2026`; `undefined` if the source states no date. */
  readonly since: string | undefined
  /** The publication: an address without its scheme, or the name of a document. */
  readonly source: string
  readonly here: RuleText
  /** The test that verifies this row. */
  readonly test: {
    /** Path from the root of the repository. */
    readonly file: string
    readonly title: string
  }
}
