import type { Statement } from '@cofre/sql'

/** Statements of parts that do not know each other, for one commit. */
export function numbered(
  when: string,
  statements: readonly Statement[],
): Readonly<Record<string, Statement>> {
  const named: Record<string, Statement> = {}
  for (const [index, statement] of statements.entries()) named[`${when}-${index}`] = statement
  return named
}
