import { DAY_MS } from '@cofre/contracts'

/**
 * FEBRABAN's day zero, 1997-10-07. Factor 9999 was 2025-02-21; the next day began again at 1000.
 */
const DAY_ZERO_MS = Date.UTC(1997, 9, 7)
const FACTOR_MIN = 1000
const FACTOR_MAX = 9999

/**
 * The due-date factor of a boleto's barcode, four digits.
 * @param dueDate - `YYYY-MM-DD`, from 2000-07-03 on.
 * @throws RangeError for an earlier day
 */
export function dueFactor(dueDate: string): string {
  const days = Math.round((Date.parse(`${dueDate}T00:00:00Z`) - DAY_ZERO_MS) / DAY_MS)
  if (!(days >= FACTOR_MIN)) throw new RangeError(`no due-date factor for ${dueDate}`)
  const cycle = FACTOR_MAX - FACTOR_MIN + 1
  return String(FACTOR_MIN + ((days - FACTOR_MIN) % cycle))
}
