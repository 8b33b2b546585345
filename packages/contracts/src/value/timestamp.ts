import { isCalendarDate } from './text.js'

const TIMESTAMP =
  /^(?<day>\d{4}-\d{2}-\d{2})T(?<time>(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)\.(?<fraction>\d{1,9})(?<zone>Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Epoch milliseconds of `YYYY-MM-DDThh:mm:ss.sTZD`; undefined for any other text. */
export function readTimestamp(text: string): number | undefined {
  const { day, time, fraction, zone } = TIMESTAMP.exec(text)?.groups ?? {}
  if (day === undefined || time === undefined || fraction === undefined || zone === undefined)
    return undefined
  if (!isCalendarDate(day)) return undefined
  return Date.parse(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`)
}

const WHOLE_SECONDS = /(:\d{2})(Z|[+-]\d{2}:\d{2})$/

/** Reads a time of our own fields, which may lack the fraction, as most libraries omit it. */
export function readIsoTime(value: unknown): number | undefined {
  return typeof value === 'string'
    ? readTimestamp(value.replace(WHOLE_SECONDS, '$1.0$2'))
    : undefined
}
