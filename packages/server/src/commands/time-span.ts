import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'

const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
}

/** Milliseconds of a time like `90`, `10m`, `24h` or `8d`, of which a bare number is seconds; undefined when it is none. */
export function readTimeSpan(text: string): number | undefined {
  const { count, trx = 's' } = /^(?<count>\d{1,8})(?<trx>[smhd])?$/.exec(text)?.groups ?? {}
  const spanMs = Number(count) * (UNITS_MS[trx] ?? Number.NaN)
  return spanMs > 0 ? spanMs : undefined
}
