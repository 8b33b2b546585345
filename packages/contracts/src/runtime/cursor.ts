/** Type of the column that a part of a cursor is compared with. */
type PartKind = 'bigint' | 'integer' | 'text'

type CursorValues<Kinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends 'text' ? string : number
}

/** The cursor of one list. Only this object makes and reads its texts. */
export interface Cursor<Place> {
  /** The cursor of the page after an item. It contains the item's place only. */
  readonly of: (place: Place) => string
  /** Undefined for any text that is not a cursor of this list. */
  readonly read: (text: string | undefined) => Place | undefined
}

const LARGEST = { bigint: Number.MAX_SAFE_INTEGER, integer: 2 ** 31 - 1 } as const

/**
 * The cursor of a list in the order of these parts. Items keep their places when others are added
 * or removed, so a reader skips none and repeats none.
 * @param kinds - Whole numbers from 0; only the last part may be a text.
 */
export function cursorBy<const Kinds extends Readonly<Record<string, PartKind>>>(
  kinds: Kinds,
): Cursor<CursorValues<Kinds>> {
  const names = Object.keys(kinds)
  return {
    of: (place) => names.map((name) => place[name]).join('-'),
    read(text = '') {
      const parts = text.split('-')
      const ends = [...parts.slice(0, names.length - 1), parts.slice(names.length - 1).join('-')]
      const values = names.map((name, index) => valueOf(ends[index] ?? '', kinds[name]))
      if (values.includes(undefined)) return undefined
      return Object.fromEntries(
        names.map((name, index) => [name, values[index]]),
      ) as CursorValues<Kinds>
    },
  }
}

function valueOf(part: string, kind: PartKind = 'text'): number | string | undefined {
  // PostgreSQL stores no NUL in a text.
  if (kind === 'text') return part === '' || part.includes('\0') ? undefined : part
  const value = Number(part)
  const isNumber = Number.isInteger(value) && value >= 0 && value <= LARGEST[kind]
  return isNumber && String(value) === part ? value : undefined
}
