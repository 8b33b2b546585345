/** Where a field is in a body: keys, and indices of array elements. */
export type FieldPath = readonly (string | number)[]

/** The pattern a path matches: array elements as `[]`. */
export const patternOf = (path: FieldPath): string => propertyOf(path).replaceAll(/\[\d+\]/g, '[]')

/** A path as errors name it: `cart[0].quantity`. */
export function propertyOf(path: FieldPath): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  )
}

/** The value at a path of a body of any shape; undefined where there is none. */
export function valueAt(body: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string | number, unknown>)[part]
        : undefined,
    body,
  )
}

/** The places a pattern's steps lead to in this body: those whose parent is there. */
export function pathsOf(steps: readonly string[], body: unknown): FieldPath[] {
  let paths: FieldPath[] = [[]]
  steps.forEach((step, depth) => {
    paths = paths.flatMap((path) => {
      const parent = valueAt(body, path)
      if (depth > 0 && (typeof parent !== 'object' || parent === null)) return []
      if (step !== '[]') return Array.isArray(parent) ? [] : [[...path, step]]
      return Array.isArray(parent) ? parent.map((_, index) => [...path, index]) : []
    })
  })
  return paths
}
