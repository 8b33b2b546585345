import type { Statement } from '@cofre/sql'

/** Statements of parts that do not know each other, for one commit. */
export function numbered(
  when: string,
  statements: readonly Statement[],
): Readonly<Record<string, Statement>> {
  return Object.fromEntries(statements.map((statement, index) => [`${when}-${index}`, statement]))
}
