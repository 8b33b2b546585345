const DAY_MS = 24 * 60 * 60 * 1000
/**
 * FEBRABAN's day zero, 1997-10-07. Factor 9999 was 2025-02-21; the day after it began again at
 * 1000.
 */
const DAY_ZERO_MS = Date.UTC(1997, 9, 7)
const CYCLE_DAYS = 9000
const DIGITABLE_LINE = /^\d{33}(\d{4})\d{10}$/

/**
 * The due date that a digitable line carries, `YYYY-MM-DD`; undefined for what is none. Of the days
 * that a factor stands for, the one nearest to when the boleto was made.
 */
export function boletoDueDate(digitableLine: string, madeAtMs: number): string | undefined {
  const [, factor] = DIGITABLE_LINE.exec(digitableLine) ?? []
  if (factor === undefined || Number(factor) < 1000) return undefined
  const days = Number(factor)
  const cycles = Math.round((madeAtMs - DAY_ZERO_MS) / DAY_MS / CYCLE_DAYS - days / CYCLE_DAYS)
  const dueDay = days + Math.max(cycles, 0) * CYCLE_DAYS
  return new Date(DAY_ZERO_MS + dueDay * DAY_MS).toISOString().slice(0, 10)
}

/**
 * The line in the groups that are printed:
 * `03399.00009 00000.190108 10000.001015 4 12340000010000`.
 */
export function printedLine(digitableLine: string): string {
  return digitableLine.replace(
    /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/,
    '$1.$2 $3.$4 $5.$6 $7 $8',
  )
}
