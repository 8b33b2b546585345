/**
 * The digits of what people type, paste or have filled in, full-width ones too. Blanks, dashes and
 * invisible marks of any kind may stand between them.
 */
export function digitsOf(typed: unknown): string {
  return String(typed).normalize('NFKC').replace(/\D/g, '')
}
