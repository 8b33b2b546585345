// Parameters that all lists of the API have, and how they are read.
import { type Cursor, LIST_LIMIT_MAX, LIST_LIMIT_USUAL, readIsoTime } from '@cofre/contracts'
import type { Fail, Parameters } from '../transaction/search-query.js'

/** The parameters of a list, by the names that requests give them. */
export const LIST_PARAMETERS: readonly string[] = [
  'limit',
  'cursor',
  'created-from',
  'created-until',
]

/** Which part of a list. Times in epoch milliseconds. */
export interface ListPart {
  readonly limit: number
  /** `next-cursor` of the page before. */
  readonly after: string | undefined
  readonly fromMs: number | undefined
  /** Not included. */
  readonly untilMs: number | undefined
}

/** Reads which part of a list is asked for. @param cursor - Of this list. */
export function readListPart(
  parameters: Parameters,
  cursor: Pick<Cursor<unknown>, 'read'>,
  fail: Fail,
): ListPart {
  const { limit: limitText, cursor: after } = parameters
  const limit = limitText === undefined ? LIST_LIMIT_USUAL : countOf(limitText)
  if (limit === undefined) fail('limit_invalid', 'limit', { minimum: 1, maximum: LIST_LIMIT_MAX })
  if (after !== undefined && cursor.read(after) === undefined) fail('cursor_invalid', 'cursor')
  const fromMs = timeOf(parameters['created-from'])
  const untilMs = timeOf(parameters['created-until'])
  if (fromMs === 'invalid') fail('created_from_invalid', 'created-from')
  if (untilMs === 'invalid') fail('created_until_invalid', 'created-until')
  return {
    limit: limit ?? LIST_LIMIT_USUAL,
    after,
    fromMs: fromMs === 'invalid' ? undefined : fromMs,
    untilMs: untilMs === 'invalid' ? undefined : untilMs,
  }
}

function countOf(text: string): number | undefined {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= LIST_LIMIT_MAX ? count : undefined
}

/** A plus sign that the shop did not escape arrives as a space. */
function timeOf(text: string | undefined): number | 'invalid' | undefined {
  return text === undefined ? undefined : (readIsoTime(text.replace(' ', '+')) ?? 'invalid')
}
