const FIRST_BASE = 529_000_000

/** A CPF with right check digits, another for each number. */
export function documentOf(number: number): string {
  return withCheckDigit(withCheckDigit(String(FIRST_BASE + number)))
}

function withCheckDigit(digits: string): string {
  const products = Array.from(digits, (digit, i) => Number(digit) * (digits.length + 1 - i))
  const sum = products.reduce((total, product) => total + product)
  return digits + String(((sum * 10) % 11) % 10)
}
