import type { BilingualText } from '@cofre/sandbox'

/** A field by its path, and what it has to be. */
export interface FieldRule {
  readonly field: string
  readonly rule: BilingualText
}

/** A rule from its field and its sentences in Portuguese and English. */
export function fieldRule(field: string, pt: string, en: string): FieldRule {
  return { field, rule: { 'pt-BR': pt, en } }
}
