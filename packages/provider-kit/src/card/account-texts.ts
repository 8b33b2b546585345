import type { z } from 'zod'
import type { AcquirerAccount, AcquirerSimulator } from './acquirer-provider.js'
import { type AccountAnswers, AccountError } from '../account/index.js'
import { Secret } from '@cofre/contracts'

/**
 * The non-empty answers, trimmed.
 * @throws AccountError
 */
export function textsOf(answers: AccountAnswers): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const [name, answer] of Object.entries(answers)) {
    const text = answer instanceof Secret ? answer.reveal() : answer
    if (typeof text !== 'string') throw new AccountError(name, 'must be text, not a file')
    if (text.trim() !== '') texts[name] = text.trim()
  }
  return texts
}

/**
 * Answers parsed by a schema.
 * @param first - The question to name if the schema names none.
 * @throws AccountError that names the question and what it should be, and never its answer
 */
export function checkedAnswers<T>(schema: z.ZodType<T>, answers: unknown, first: string): T {
  const parsed = schema.safeParse(answers)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AccountError(String(issue?.path[0] ?? first), issue?.message ?? 'is not valid')
}

/** @throws Error for a simulator without an account of its kind, or the other way round */
export function checkSimulator(
  { kind }: Pick<AcquirerAccount, 'kind'>,
  simulator: AcquirerSimulator | undefined,
): void {
  if ((kind === 'simulator') !== (simulator !== undefined))
    throw new Error('only an account of kind simulator has a simulator')
}
