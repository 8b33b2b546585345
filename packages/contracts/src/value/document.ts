// Check digits of CPF and CNPJ (Receita Federal); alphanumeric CNPJ since July 2026 (IN RFB
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

const CPF_WEIGHT_MAX = 11
const CNPJ_WEIGHT_MAX = 9

function withCheckDigits(base: string, weightMax: number): string {
  const first = checkDigit(base, weightMax)
  return base + first + checkDigit(base + first, weightMax)
}

function endsInCheckDigits(number: string, weightMax: number): boolean {
  return number === withCheckDigits(number.slice(0, -2), weightMax)
}

/** A valid CPF. @param base - Its first nine digits. */
export function cpfOf(base: string): string {
  return withCheckDigits(base, CPF_WEIGHT_MAX)
}

/** A valid CNPJ. @param base - Its first twelve characters. */
export function cnpjOf(base: string): string {
  return withCheckDigits(base, CNPJ_WEIGHT_MAX)
}

const repeatsOneCharacter = (text: string): boolean => /^(.)\1+$/.test(text)

export function isCpf(number: string): boolean {
  return (
    /^\d{11}$/.test(number) &&
    !repeatsOneCharacter(number) &&
    endsInCheckDigits(number, CPF_WEIGHT_MAX)
  )
}

export function isCnpj(number: string): boolean {
  // Checked before toUpperCase, which turns some letters that are not ASCII into ASCII ones.
  if (!/^[0-9A-Za-z]{12}\d{2}$/.test(number)) return false
  const upper = number.toUpperCase()
  return !repeatsOneCharacter(upper) && endsInCheckDigits(upper, CNPJ_WEIGHT_MAX)
}
