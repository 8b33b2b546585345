/** Where a field is in a body: keys, and indices of array elements. */
export type FieldPath = readonly (string | number)[]

/** The pattern a path matches: array elements as `[]`. */
export const patternOf = (path: FieldPath): string => propertyOf(path).replaceAll(/\[\d+\]/g, '[]')

/** The steps of a pattern: keys, and `[]` for the elements of an array. */
export const stepsOf = (pattern: string): string[] => pattern.split(/(?=\[\])|\./)

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
  return path.reduce(ownValue, body)
}

function ownValue(parent: unknown, part: string | number): unknown {
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, part)
    ? (parent as Record<string | number, unknown>)[part]
    : undefined
}

/**
 * The places a pattern's steps lead to in this body, those whose parent is there, of whose values
 * this is true. The path that `isWanted` is shown changes afterwards.
 */
export function pathsWhere(
  steps: readonly string[],
  body: unknown,
  isWanted: (value: unknown, path: FieldPath) => boolean,
): FieldPath[] {
  const found: FieldPath[] = []
  const path: (string | number)[] = []
  const go = (part: string | number, parent: unknown): void => {
    path.push(part)
    visit(ownValue(parent, part))
    path.pop()
  }
  const visit = (value: unknown): void => {
    const step = steps[path.length]
    if (step === undefined) {
      if (isWanted(value, path)) found.push([...path])
    } else if (Array.isArray(value)) {
      if (step === '[]') for (const index of value.keys()) go(index, value)
    } else if (step !== '[]' && (path.length === 0 || isObject(value))) go(step, value)
  }
  visit(body)
  return found
}

/** Replaces each value that a pattern's steps lead to. What does not change is not copied. */
export function withEach(
  body: unknown,
  steps: readonly string[],
  replace: (value: unknown) => unknown,
): unknown {
  return pathsWhere(steps, body, (value) => replace(value) !== value).reduce(
    (rest, path) => withValueAt(rest, path, replace(valueAt(rest, path))),
    body,
  )
}

function withValueAt(parent: unknown, path: FieldPath, value: unknown): unknown {
  const [part, ...rest] = path
  if (part === undefined) return value
  const changed = withValueAt(ownValue(parent, part), rest, value)
  if (Array.isArray(parent))
    return parent.map((element: unknown, i) => (i === part ? changed : element))
  return { ...(parent as object), [part]: changed }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
