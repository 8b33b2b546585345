/** At most so much of a text, without half of a character at its end. */
export function beginningOf(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/[\uD800-\uDBFF]$/, '')
}

/** Whether the text is a day of the Gregorian calendar as `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

// CPF and CNPJ check digits, Receita Federal; alphanumeric CNPJ since July 2026 (IN RFB
// 2.229/2024).

/** Modulus 11, weights 2, 3, ... `weightMax`, 2, ... from the right; letters are ASCII - 48. */
function checkDigit(characters: string, weightMax: number): string {
  let sum = 0
  for (let i = 0; i < characters.length; i++) {
    const value = characters.charCodeAt(characters.length - 1 - i) - 48
    sum += value * (2 + (i % (weightMax - 1)))
  }
  const rest = sum % 11
  return String(rest < 2 ? 0 : 11 - rest)
}

function endsInCheckDigits(number: string, weightMax: number): boolean {
  const base = number.slice(0, -2)
  const first = checkDigit(base, weightMax)
  return number === base + first + checkDigit(base + first, weightMax)
}

const repeatsOneCharacter = (text: string): boolean => /^(.)\1+$/.test(text)

export function isCpf(number: string): boolean {
  return /^\d{11}$/.test(number) && !repeatsOneCharacter(number) && endsInCheckDigits(number, 11)
}

export function isCnpj(number: string): boolean {
  // Judged as it was sent: toUpperCase turns letters that are not ASCII into ASCII ones.
  if (!/^[0-9A-Za-z]{12}\d{2}$/.test(number)) return false
  const upper = number.toUpperCase()
  return !repeatsOneCharacter(upper) && endsInCheckDigits(upper, 9)
}
