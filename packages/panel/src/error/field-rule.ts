import type { Bilingual } from './bilingual.js'

/** A field by its path, and what it has to be. */
export interface FieldRule {
  readonly field: string
  readonly rule: Bilingual
}

/** A rule from its field and its sentences in Portuguese and English. */
export function fieldRule(field: string, pt: string, en: string): FieldRule {
  return { field, rule: { pt, en } }
}
