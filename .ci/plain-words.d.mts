/** The words of a text that need a replacement, its opening apart. */
export function misusedWords(text: string): string[]
/** The words of a comment or a statement that need a replacement, its opening included. */
export function privateWords(text: string): string[]
