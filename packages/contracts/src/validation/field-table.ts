import { z } from 'zod'
import type { Failure } from '../errors/api-error.js'
import type { ErrorName } from '../errors/catalogue.js'
import {
  type FieldPath,
  pathsWhere,
  patternOf,
  propertyOf,
  stepsOf,
  valueAt,
  withEach,
} from './field-path.js'

/** What a field of a request adds to its zod schema: the codes of its failures, and rules that depend on other fields. */
export interface FieldRules<Facts> {
  readonly missing: ErrorName
  readonly invalid: ErrorName
  /** What takes the place of a value, of an absent one too, before anything judges it. */
  readonly cleaned?: (value: unknown, facts: Facts) => unknown
  /** Makes an optional field required. */
  readonly requiredWhen?: (facts: Facts) => boolean
  /** Judges a value that its own schema accepts. */
  readonly acceptedWhen?: (value: unknown, facts: Facts) => boolean
}

/** One field of a compiled table. `pattern` writes array elements as `[]`: `cart[].quantity`. */
export interface Field<Facts> {
  readonly pattern: string
  readonly rules: FieldRules<Facts>
  readonly schema: z.core.$ZodType
}

/**
 * The one place where a request's fields, bounds and error codes meet: a zod schema whose parts were registered with
 * rules of their own. Validation, types and the OpenAPI document all derive from it.
 */
export interface FieldTable<Schema extends z.ZodType, Facts> {
  readonly schema: Schema
  readonly fields: readonly Field<Facts>[]
  readonly registry: FieldRegistry<Facts>
  /** All failures at once, in the order of the fields; or the parsed request. */
  validate(
    body: unknown,
    facts: Facts,
  ):
    | { readonly ok: true; readonly value: z.output<Schema> }
    | { readonly ok: false; readonly failures: readonly Failure[] }
}

/** The rules of a request's fields, by the schema they belong to. */
export type FieldRegistry<Facts> = ReadonlyMap<z.core.$ZodType, FieldRules<Facts>>

/** Deeper than any field. What lies below stays as it is, so that a nested body cannot exhaust the stack. */
const DEPTH_MAX = 16

/** A field sent as `""` or `null` counts as absent. What has none of these is not copied. */
export function dropAbsent(value: unknown): unknown {
  return dropAbsentTo(DEPTH_MAX, value)
}

function dropAbsentTo(depth: number, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (Array.isArray(value)) {
    const elements = value.map((element) => dropAbsentTo(depth - 1, element))
    return elements.some((element, index) => element !== value[index]) ? elements : value
  }
  const entries = Object.entries(value)
  const kept: [string, unknown][] = []
  let isWhole = true
  for (const [key, entry] of entries) {
    const rest: unknown =
      entry === '' || entry === null ? undefined : dropAbsentTo(depth - 1, entry)
    if (rest !== entry) isWhole = false
    if (rest !== undefined) kept.push([key, rest])
  }
  // Not assigned one by one: a key may be `__proto__`.
  return isWhole ? value : Object.fromEntries(kept)
}

export function compileFieldTable<Schema extends z.ZodType, Facts>(
  schema: Schema,
  registry: FieldRegistry<Facts>,
): FieldTable<Schema, Facts> {
  const fields = listFields(schema, registry, '')
  const rulesByPattern = new Map(fields.map(({ pattern, rules }) => [pattern, rules]))
  const conditional = fields
    .filter(({ rules }) => rules.requiredWhen !== undefined || rules.acceptedWhen !== undefined)
    .map(({ pattern, rules }) => ({ rules, steps: stepsOf(pattern) }))

  function failureAt(path: FieldPath, constraint: Constraint, body: unknown): Failure {
    let known = path
    while (known.length > 0 && !rulesByPattern.has(patternOf(known))) known = known.slice(0, -1)
    const rules = rulesByPattern.get(patternOf(known))
    if (rules === undefined) throw new Error(`no error code for the field ${patternOf(path)}`)
    const absent = valueAt(body, known) === undefined
    const index = known.find((part) => typeof part === 'number')
    return {
      name: absent ? rules.missing : rules.invalid,
      property: propertyOf(known),
      ...(absent ? { constraint: 'required' } : constraint),
      index,
    }
  }

  function conditionalFailures(
    body: unknown,
    facts: Facts,
    structural: readonly Failure[],
  ): Failure[] {
    const judged = new Set(structural.map(({ property }) => property))
    const isJudged = (path: FieldPath): boolean => judged.size > 0 && judged.has(propertyOf(path))
    return conditional.flatMap(({ rules, steps }) =>
      pathsWhere(
        steps,
        body,
        (value, path) => !isJudged(path) && breaksCondition(rules, value, facts),
      ).map((path) => failureAt(path, { constraint: 'invalid' }, body)),
    )
  }

  const byBodyOrder = bodyOrder(fields)
  const clean = cleanerOf(fields)

  return {
    schema,
    fields,
    registry,
    validate(sentBody, facts) {
      const body = clean(sentBody, facts)
      const parsed = schema.safeParse(body)
      const structural = (parsed.error?.issues ?? []).map((issue) =>
        failureAt(issue.path.map(jsonKey), constraintOf(issue), body),
      )
      const failures = distinct([...structural, ...conditionalFailures(body, facts, structural)])
      if (parsed.success && failures.length === 0) return { ok: true, value: parsed.data }
      return { ok: false, failures: failures.toSorted(byBodyOrder) }
    },
  }
}

/** Puts what is cleaned of a value in its place, in all fields that clean theirs. */
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

/** Orders failures by their fields' place in the table, elements of one array by their index. */
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

/** JSON has no symbols for keys; zod's type of a path does. */
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

/** zod compares the `length` of whatever has one; that of `{"length": {"toString": 1}}` throws. */
function measureOnlyTextsAndLists(schema: z.core.$ZodType): void {
  for (const { _zod } of schema._zod.def.checks ?? []) {
    if (_zod.def.when === undefined) continue
    _zod.def.when = ({ value }) => typeof value === 'string' || Array.isArray(value)
  }
}

type Constraint = Required<Pick<Failure, 'constraint'>> & Pick<Failure, 'minimum'>

/** What a custom issue may tell beside its path. */
export interface IssueParams {
  readonly minimum?: number
}

const CONSTRAINTS: Readonly<Partial<Record<z.core.$ZodIssue['code'], string>>> = {
  invalid_type: 'type',
  too_small: 'minimum',
  too_big: 'maximum',
}

function constraintOf(issue: z.core.$ZodIssue): Constraint {
  const { minimum }: IssueParams = issue.code === 'custom' ? (issue.params ?? {}) : {}
  if (minimum !== undefined) return { constraint: 'minimum', minimum }
  return { constraint: CONSTRAINTS[issue.code] ?? 'invalid' }
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
