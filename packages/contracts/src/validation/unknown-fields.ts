import { z } from 'zod'

/** The known part of a body: the fields of an object, or the elements of a list. */
interface ReadShape {
  readonly fields?: ReadonlyMap<string, ReadShape>
  readonly element?: ReadShape
}

/** Limit of paths for one body. */
export const UNKNOWN_FIELDS_MAX = 10

const LEFT_OUT = '*'
const PLAIN_NAME = /^[a-z_][\w-]{0,39}$/i
/** A name with more digits may hold a card's or a person's number. */
const DIGITS_MAX = 2

export function readShapeOf(schema: z.core.$ZodType): ReadShape {
  if (schema instanceof z.ZodOptional) return readShapeOf(schema.unwrap())
  if (schema instanceof z.ZodArray) return { element: readShapeOf(schema.element) }
  if (!(schema instanceof z.ZodObject)) return {}
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  const fields = Object.entries(shape).map(([name, child]) => [name, readShapeOf(child)] as const)
  return { fields: new Map(fields) }
}

/**
 * Paths of fields that are not in the shape: `transaction.foo`, `charge[0].description`. For
 * elements of a list, only the first that has the field; at most ten in all. Only short and plain
 * names are shown, others as `*`; values never. Reads each value of the body at most once.
 */
export function unknownFields(body: unknown, shape: ReadShape): readonly string[] {
  const paths = new Map<string, string>()
  const visit = (value: unknown, { fields, element }: ReadShape, at: PathAndPattern): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      if (element === undefined) return
      for (const [index, child] of value.entries()) {
        if (paths.size >= UNKNOWN_FIELDS_MAX) return
        visit(child, element, { path: `${at.path}[${index}]`, pattern: `${at.pattern}[]` })
      }
      return
    }
    if (fields === undefined) return
    for (const [name, child] of Object.entries(value)) {
      if (paths.size >= UNKNOWN_FIELDS_MAX) return
      const known = fields.get(name)
      const inner = within(at, known === undefined ? shownName(name) : name)
      if (known !== undefined) visit(child, known, inner)
      else if (!paths.has(inner.pattern)) paths.set(inner.pattern, inner.path)
    }
  }
  visit(body, shape, { path: '', pattern: '' })
  return [...paths.values()]
}

interface PathAndPattern {
  readonly path: string
  readonly pattern: string
}

function within({ path, pattern }: PathAndPattern, name: string): PathAndPattern {
  return path === ''
    ? { path: name, pattern: name }
    : { path: `${path}.${name}`, pattern: `${pattern}.${name}` }
}

function shownName(name: string): string {
  const isPlain = PLAIN_NAME.test(name) && name.replaceAll(/\D/g, '').length <= DIGITS_MAX
  return isPlain ? name : LEFT_OUT
}
