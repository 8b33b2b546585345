/** A sentence, as it is said in both languages. */
type RuleText = Readonly<Record<'en' | 'pt-BR', string>>

/** A rule of a card brand, an acquirer, a bank or the law, and what Cofre does by it. */
export interface RuleInForce {
  readonly rule: RuleText
  /** `2026-10-23`, or `2026-10` or `2026`; `undefined` where the source names no day. */
  readonly since: string | undefined
  /** Where it is published: an address without its scheme, or the name of a document. */
  readonly source: string
  readonly here: RuleText
  /** The test that reads like this row. */
  readonly test: {
    /** From the root of the repository. */
    readonly file: string
    readonly title: string
  }
}
