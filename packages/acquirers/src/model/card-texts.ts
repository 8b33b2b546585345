/** Latin letters without accents, digits and spaces, as card networks take names. */
export function plainLetters(text: string, lengthMax: number): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, lengthMax)
    .trim()
}
