import type { Statement } from '@cofre/sql'

/** Names statements of independent parts, for one commit. */
export function numbered(
  when: string,
  statements: readonly Statement[],
): Readonly<Record<string, Statement>> {
  const named: Record<string, Statement> = {}
  for (const [index, statement] of statements.entries()) named[`${when}-${index}`] = statement
  return named
}
