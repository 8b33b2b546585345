import { z } from 'zod'
import { FAILURES_RETURNED_MAX, type Failure } from '../errors/api-error.js'
import type { ErrorName } from '../errors/catalogue.js'
import { shownValue } from '../errors/shown-value.js'
import { readShapeOf, unknownFields } from './unknown-fields.js'

/** Additions to a field's zod schema: error codes, and rules that depend on other fields. */
export interface FieldRules<Facts> {
  readonly missing: ErrorName
  readonly invalid: ErrorName
  /** Replaces a value, even an absent one, before all checks. */
  readonly cleaned?: (value: unknown, facts: Facts) => unknown
  /** Makes an optional field required. */
  readonly requiredWhen?: (facts: Facts) => boolean
  /** Checks a value that its own schema accepts. */
  readonly acceptedWhen?: (value: unknown, facts: Facts) => boolean
  /** The bounds behind {@link acceptedWhen}. */
  readonly boundsWhen?: (facts: Facts) => Bounds
  /** The cause that a wrong value hints at: its sender's intention. */
  readonly hintOf?: (value: unknown) => string | undefined
  /** True if errors may show its values: they are neither card data nor personal data. */
  readonly isShown?: boolean
}

/** Bounds, with their cause if the error has several. */
type Bounds = Pick<Failure, 'minimum' | 'maximum' | 'allowed' | 'cause'>

/** One field of a compiled table. `pattern` writes array elements as `[]`: `cart[].quantity`. */
export interface Field<Facts> {
  readonly pattern: string
  readonly rules: FieldRules<Facts>
  readonly schema: z.core.$ZodType
}

/**
 * The only place for a request's fields, bounds and error codes: a zod schema whose parts were
 * registered with their own rules. Validation, types and the OpenAPI document derive from it.
 */
export interface FieldTable<Schema extends z.ZodType, Facts> {
  readonly schema: Schema
  readonly fields: readonly Field<Facts>[]
  readonly registry: FieldRegistry<Facts>
  /** All failures, up to a hundred, in the order of the fields; or the parsed request. */
  validate(
    body: unknown,
    facts: Facts,
  ):
    | { readonly ok: true; readonly value: z.output<Schema> }
    | { readonly ok: false; readonly failures: readonly Failure[] }
  /** Paths of fields that are not in the table, at most ten. */
  unknownFields(body: unknown): readonly string[]
}

/** The rules of a request's fields, by schema. */
export type FieldRegistry<Facts> = ReadonlyMap<z.core.$ZodType, FieldRules<Facts>>

/** Deeper than any field. Bounds the recursion: a nested body cannot exhaust the stack. */
const DEPTH_MAX = 16

/** Removes fields sent as `""` or `null`, which count as absent. Copies only what changes. */
export function dropAbsent(value: unknown): unknown {
  return dropAbsentTo(DEPTH_MAX, value)
}

function dropAbsentTo(depth: number, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (Array.isArray(value)) {
    const elements = value.map((element) => dropAbsentTo(depth - 1, element))
    return elements.some((element, index) => element !== value[index]) ? elements : value
  }
  const fields = value as Readonly<Record<string, unknown>>
  const names = Object.keys(fields)
  const rests = names.map((name) => restOf(depth, fields[name]))
  if (names.every((name, index) => fields[name] === rests[index])) return value
  const entries = names.map((name, index) => [name, rests[index]] as const)
  // Not assigned one by one: a name may be `__proto__`.
  return Object.fromEntries(entries.filter(([, rest]) => rest !== undefined))
}

function restOf(depth: number, field: unknown): unknown {
  return field === '' || field === null ? undefined : dropAbsentTo(depth - 1, field)
}

export function compileFieldTable<Schema extends z.ZodType, Facts>(
  schema: Schema,
  registry: FieldRegistry<Facts>,
): FieldTable<Schema, Facts> {
  const fields = listFields(schema, registry, '')
  const rulesByPattern = new Map(fields.map(({ pattern, rules }) => [pattern, rules]))
  const conditional = conditionalOf(fields)

  function failureAt(path: FieldPath, broken: Broken, request: Judged<Facts>): Failure {
    let known = path
    while (known.length > 0 && !rulesByPattern.has(patternOf(known))) known = known.slice(0, -1)
    const rules = rulesByPattern.get(patternOf(known))
    if (rules === undefined) throw new Error(`no error code for the field ${patternOf(path)}`)
    return failureOf(rules, known, { ...request, broken })
  }

  function conditionalFailures(request: Judged<Facts>, structural: readonly Failure[]): Failure[] {
    const judged = new Set(structural.map(({ property }) => property))
    // Without a valid body, no field is missing.
    if (judged.has('')) return []
    return conditional
      .flatMap((field) => brokenPaths(field, request, judged))
      .map((path) => failureAt(path, { constraint: 'invalid', isConditional: true }, request))
  }

  const byBodyOrder = bodyOrder(fields)
  const clean = cleanerOf(fields)
  const shape = readShapeOf(schema)

  return {
    schema,
    fields,
    registry,
    unknownFields: (body) => unknownFields(body, shape),
    validate(sentBody, facts) {
      const body = clean(sentBody, facts)
      const request = { body, facts }
      const parsed = schema.safeParse(body)
      // Describing an issue costs more than finding it.
      const issues = parsed.error?.issues.slice(0, FAILURES_RETURNED_MAX) ?? []
      const structural = issues.map((issue) =>
        failureAt(issue.path.map(jsonKey), brokenBy(issue), request),
      )
      const failures = distinct([...structural, ...conditionalFailures(request, structural)])
      if (parsed.success && failures.length === 0) return { ok: true, value: parsed.data }
      return { ok: false, failures: failures.toSorted(byBodyOrder) }
    },
  }
}

/** A field whose rules depend on other fields. */
interface ConditionalField<Facts> {
  readonly rules: FieldRules<Facts>
  readonly steps: readonly string[]
}

function conditionalOf<Facts>(fields: readonly Field<Facts>[]): readonly ConditionalField<Facts>[] {
  return fields
    .filter(({ rules }) => rules.requiredWhen !== undefined || rules.acceptedWhen !== undefined)
    .map(({ pattern, rules }) => ({ rules, steps: stepsOf(pattern) }))
}

/** Paths at which a body breaks a field's conditions, without those that have another failure. */
function brokenPaths<Facts>(
  { rules, steps }: ConditionalField<Facts>,
  { body, facts }: Judged<Facts>,
  judged: ReadonlySet<string | undefined>,
): readonly FieldPath[] {
  const isBroken = (value: unknown) => breaksCondition(rules, value, facts)
  // Most bodies are valid: their paths are not needed.
  if (judged.size === 0) return pathsWhere(steps, body, isBroken)
  const paths = pathsWhere(steps, body, () => true)
  return paths.filter((path) => !judged.has(propertyOf(path)) && isBroken(valueAt(body, path)))
}

/** The failure of the field at a path. */
function failureOf<Facts>(
  rules: FieldRules<Facts>,
  path: FieldPath,
  { body, facts, broken }: Judged<Facts> & { readonly broken: Broken },
): Failure {
  const value = valueAt(body, path)
  const index = path.find((part) => typeof part === 'number')
  const property = propertyOf(path)
  const bounds = rules.boundsWhen?.(facts)
  if (value === undefined) {
    const allowed = bounds?.allowed
    return { name: rules.missing, property, constraint: 'required', index, allowed }
  }
  const { isConditional, named, ...constraint } = broken
  // The method's own minimum counts for every amount that is too small.
  const isOfRequest = isConditional === true || constraint.constraint === 'minimum'
  const sent = rules.isShown === true ? shownValue(value) : undefined
  const hint = rules.hintOf?.(value)
  return {
    name: rules.invalid,
    property,
    ...constraint,
    ...(isOfRequest && bounds),
    ...(hint !== undefined && { cause: hint }),
    index,
    named: { ...named, sent },
  }
}

/** Applies the cleaning of all fields that have one. */
function cleanerOf<Facts>(
  fields: readonly Field<Facts>[],
): (body: unknown, facts: Facts) => unknown {
  const cleaning = fields.flatMap(({ pattern, rules: { cleaned } }) =>
    cleaned === undefined ? [] : [{ steps: stepsOf(pattern), cleaned }],
  )
  return (sent, facts) =>
    cleaning.reduce(
      (body, { steps, cleaned }) => withEach(body, steps, (value) => cleaned(value, facts)),
      sent,
    )
}

function breaksCondition<Facts>(rules: FieldRules<Facts>, value: unknown, facts: Facts): boolean {
  return value === undefined
    ? rules.requiredWhen?.(facts) === true
    : rules.acceptedWhen?.(value, facts) === false
}

/** Orders failures by their fields' place in the table, and elements of one array by index. */
function bodyOrder(fields: readonly Field<never>[]): (a: Failure, b: Failure) => number {
  const positions = new Map(fields.map(({ pattern }, position) => [pattern, position]))
  const positionOf = ({ property = '' }: Failure): number =>
    positions.get(property.replaceAll(/\[\d+\]/g, '[]')) ?? 0
  const groupOf = ({ property = '' }: Failure): string | undefined => property.split(/[.[]/, 1)[0]
  return (a, b) =>
    groupOf(a) === groupOf(b) && a.index !== b.index
      ? (a.index ?? -1) - (b.index ?? -1)
      : positionOf(a) - positionOf(b)
}

/** JSON has no symbols as keys; zod's type of a path has. */
const jsonKey = (part: PropertyKey): string | number =>
  typeof part === 'symbol' ? String(part) : part

function listFields<Facts>(
  schema: z.core.$ZodType,
  registry: FieldRegistry<Facts>,
  pattern: string,
): Field<Facts>[] {
  measureOnlyTextsAndLists(schema)
  const rules = registry.get(schema)
  const own = rules === undefined ? [] : [{ pattern, rules, schema }]
  if (schema instanceof z.ZodOptional)
    return [...own, ...listFields(schema.unwrap(), registry, pattern)]
  if (schema instanceof z.ZodArray)
    return [...own, ...listFields(schema.element, registry, `${pattern}[]`)]
  if (!(schema instanceof z.ZodObject)) return own
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  const children = Object.entries(shape).flatMap(([key, child]) =>
    listFields(child, registry, pattern === '' ? key : `${pattern}.${key}`),
  )
  return [...own, ...children]
}

/**
 * zod compares the `length` of any value that has one; that of `{"length": {"toString": 1}}`
 * throws.
 */
function measureOnlyTextsAndLists(schema: z.core.$ZodType): void {
  for (const { _zod } of schema._zod.def.checks ?? []) {
    if (_zod.def.when === undefined) continue
    _zod.def.when = ({ value }) => typeof value === 'string' || Array.isArray(value)
  }
}

/** A body to validate, with the facts that decide on it. */
interface Judged<Facts> {
  readonly body: unknown
  readonly facts: Facts
}

/** The rule that a value breaks. */
interface Broken extends Pick<Failure, keyof Bounds | 'named'> {
  readonly constraint: string
  /** The rule depends on other fields. */
  readonly isConditional?: boolean
}

/** Parameters of a custom issue, beside its path. */
export interface IssueParams {
  readonly minimum?: number
}

/** `named` has the expected type, or the type that the bound counts. */
function brokenBy(issue: z.core.$ZodIssue): Broken {
  if (issue.code === 'custom') {
    const { minimum }: IssueParams = issue.params ?? {}
    return minimum === undefined ? { constraint: 'invalid' } : { constraint: 'minimum', minimum }
  }
  if (issue.code === 'invalid_type') return { constraint: 'type', named: { type: issue.expected } }
  if (issue.code === 'invalid_value')
    return { constraint: 'invalid', allowed: issue.values.filter(isTextOrNumber) }
  if (issue.code === 'too_small') {
    const minimum = Number(issue.minimum)
    return { constraint: 'minimum', minimum, named: { type: issue.origin } }
  }
  if (issue.code !== 'too_big') return { constraint: 'invalid' }
  const maximum = Number(issue.maximum)
  return { constraint: 'maximum', maximum, named: { type: issue.origin } }
}

function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function distinct(failures: readonly Failure[]): Failure[] {
  const seen = new Set<string>()
  return failures.filter((failure) => {
    const key = `${failure.name} ${failure.property ?? ''}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Path of a field in a body: keys, and indices of array elements. */
type FieldPath = readonly (string | number)[]

/** The pattern of a path, with array elements as `[]`. */
const patternOf = (path: FieldPath): string => propertyOf(path).replaceAll(/\[\d+\]/g, '[]')

/** The steps of a pattern: keys, and `[]` for the elements of an array. */
const stepsOf = (pattern: string): string[] => pattern.split(/(?=\[\])|\./)

/** A path in the form of errors: `cart[0].quantity`. */
function propertyOf(path: FieldPath): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  )
}

/** The value at a path of a body of any shape; undefined if there is none. */
export function valueAt(body: unknown, path: FieldPath): unknown {
  return path.reduce(ownValue, body)
}

/** A value's own property; undefined if it has none of that name. */
export function ownValue(parent: unknown, part: string | number): unknown {
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, part)
    ? (parent as Record<string | number, unknown>)[part]
    : undefined
}

/** Paths that match the pattern's steps, whose parent exists, and whose value is wanted. */
function pathsWhere(
  steps: readonly string[],
  body: unknown,
  isWanted: (value: unknown) => boolean,
): readonly FieldPath[] {
  return pathsBelow({ value: body, steps, depth: 0 }, isWanted)
}

interface Visited {
  readonly value: unknown
  readonly steps: readonly string[]
  readonly depth: number
}

const NO_PATHS: readonly FieldPath[] = []

/** Usually nothing is wanted, and no path is made. */
function pathsBelow(
  { value, steps, depth }: Visited,
  isWanted: (value: unknown) => boolean,
): readonly FieldPath[] {
  const step = steps[depth]
  if (step === undefined) return isWanted(value) ? [[]] : NO_PATHS
  const below = (part: string | number): readonly FieldPath[] => {
    const child = { value: ownValue(value, part), steps, depth: depth + 1 }
    const paths = pathsBelow(child, isWanted)
    return paths.length === 0 ? paths : paths.map((path) => [part, ...path])
  }
  if (Array.isArray(value)) return step === '[]' ? [...value.keys()].flatMap(below) : NO_PATHS
  return step !== '[]' && (depth === 0 || isObject(value)) ? below(step) : NO_PATHS
}

/** Replaces each value that matches the pattern's steps. Copies only what changes. */
function withEach(
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
