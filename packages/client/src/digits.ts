/**
 * The digits of text that is typed, pasted or filled in, full-width ones too. Ignores blanks,
 * dashes and invisible characters.
 */
export function digitsOf(typed: unknown): string {
  return String(typed).normalize('NFKC').replace(/\D/g, '')
}
