import { type ErrorName, errorCatalogue } from '@cofre/contracts'
import type { Language } from '@cofre/pages'
import type { BilingualText } from '@cofre/sandbox'
import { type FieldErrorKey, fieldRules } from './field-rules.js'
import { otherExplanations } from './other-explanations.js'

/** A code of the catalogue, with the HTTP status that tells its causes apart where it has several. */
export interface ExplainedError {
  readonly code: number
  readonly status: number
}

/** What an error means and what to do, in words. */
export function explanationOf({ code, status }: ExplainedError, language: Language): string {
  const names = NAMES_BY_CODE.get(code) ?? []
  const name = names.find((candidate) => errorCatalogue[candidate].status === status) ?? names[0]
  return (name === undefined ? UNKNOWN : explanations[name])[language]
}

/** The explanation of every error of the catalogue. */
export const explanations: Readonly<Record<ErrorName, BilingualText>> = Object.fromEntries(
  Object.keys(errorCatalogue).map((name) => [name, explain(name as ErrorName)]),
) as Record<ErrorName, BilingualText>

const NAMES_BY_CODE: ReadonlyMap<number, readonly ErrorName[]> = Map.groupBy(
  Object.keys(errorCatalogue) as ErrorName[],
  (name) => errorCatalogue[name].code,
)

const UNKNOWN: BilingualText = {
  'pt-BR': 'Este painel não conhece o código: ele é de outra versão da API.',
  en: 'This panel does not know the code: it is of another version of the API.',
}

function explain(name: ErrorName): BilingualText {
  if (name in otherExplanations) return otherExplanations[name as keyof typeof otherExplanations]
  const isMissing = name.endsWith('_missing')
  const { field, rule } = fieldRules[name.replace(/_(missing|invalid)$/, '') as FieldErrorKey]
  return isMissing
    ? { 'pt-BR': `Falta ${field}. ${rule['pt-BR']}`, en: `${field} is missing. ${rule.en}` }
    : { 'pt-BR': `${field} não vale. ${rule['pt-BR']}`, en: `${field} is not valid. ${rule.en}` }
}
