// Barcode and line of a boleto of bank 077, by FEBRABAN's layout (Carta-Circular BCB 2.926/2000).
// Independent of the gateway's own code for them.
import { DAY_MS, type MinorUnits } from '@cofre/contracts'

const BANK = '077'
const REAL = '9'
const AGENCY = '0001'
const PORTFOLIO = '112'
/** Seven digits: the contract for the account's boletos. */
const OPERATION = '1234567'
const DAY_ZERO_MS = Date.UTC(1997, 9, 7)
const FACTOR_MIN = 1000
const FACTORS = 9000

interface PrintedBoleto {
  /** `YYYY-MM-DD` */
  readonly dueDate: string
  readonly amountMinor: MinorUnits
  /** Eleven digits. */
  readonly ourNumber: string
}

/** The bank's number of a boleto, with its check digit: eleven digits. */
export function ourNumberOf(sequence: number): string {
  const number = String(sequence).padStart(10, '0')
  return number + modulus10(AGENCY + PORTFOLIO + number)
}

export function barcodeOf({ dueDate, amountMinor, ourNumber }: PrintedBoleto): string {
  const amount = String(amountMinor).padStart(10, '0')
  const after = dueFactor(dueDate) + amount + AGENCY + PORTFOLIO + OPERATION + ourNumber
  const before = BANK + REAL
  return before + modulus11(before + after) + after
}

/** The 47 digits that a person types instead of the barcode. */
export function lineOf(barcode: string): string {
  const part = (from: number, to: number) => barcode.slice(from, to)
  const fields = [part(0, 4) + part(19, 24), part(24, 34), part(34, 44)]
  const checked = fields.map((field) => field + modulus10(field))
  return checked.join('') + part(4, 5) + part(5, 19)
}

/** Days since day zero; after 9999, on 2025-02-21, they began again at 1000. */
function dueFactor(dueDate: string): string {
  const days = Math.round((Date.parse(`${dueDate}T00:00:00Z`) - DAY_ZERO_MS) / DAY_MS)
  return String(((days - FACTOR_MIN) % FACTORS) + FACTOR_MIN)
}

/** Weights 2 and 1 from the right; the digits of a product are added separately. */
function modulus10(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const product = Number(digit) * (index % 2 === 0 ? 2 : 1)
      return total + Math.floor(product / 10) + (product % 10)
    }, 0)
  return String((10 - (sum % 10)) % 10)
}

/** Repeated weights 2 to 9 from the right; never 0. */
function modulus11(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (2 + (index % 8)), 0)
  const digit = 11 - (sum % 11)
  return digit > 9 ? '1' : String(digit)
}
