// Brazil has had no daylight saving time since 2019 (Decreto 9.772), so Brasília is three hours behind UTC all year.
const BRASILIA_OFFSET_MS = -3 * 60 * 60 * 1000

/** ISO 8601 with milliseconds and Brasília's offset: `2026-11-21T10:15:30.000-03:00`. */
export function formatTimestamp(timeMs: number): string {
  return new Date(timeMs + BRASILIA_OFFSET_MS).toISOString().replace('Z', '-03:00')
}
