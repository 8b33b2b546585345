/** A JSON object, not yet looked into. The readers throw a TypeError for a value of another kind. */
export type Fields = Readonly<Record<string, unknown>>

export function readObject(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new TypeError('an object is missing')
  return { ...value }
}

export function readList(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new TypeError(`${name} is not a list`)
  return value.map(readObject)
}

export function readText(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new TypeError(`${name} is not a text`)
  return value
}

export function readNumber(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number') throw new TypeError(`${name} is not a number`)
  return value
}

/** A field that may be missing, read by one of the readers above. */
export function readOptional<T>(
  fields: Fields,
  name: string,
  read: (fields: Fields, name: string) => T,
): T | undefined {
  return fields[name] === undefined ? undefined : read(fields, name)
}
