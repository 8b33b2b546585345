import { type FieldTable, errorCatalogue } from '@cofre/contracts'
import { explainRequired, explainValue } from '@cofre/contracts/errors'
import { z } from 'zod'
import texts from './openapi-fields.json' with { type: 'json' }

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A property's meaning, and an example if it is not obvious. */
type FieldText = readonly [description: string, example?: unknown]

const fieldTexts = texts as unknown as Readonly<Record<string, FieldText>>

/** The schema of a response's body. @param name - The schema's name in the document. */
export function responseSchema(name: string, schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, { io: 'output', override: withoutSafeBounds })
  return described(name, withoutDialect(json))
}

/** The schema of a request's body, with the error codes of each field. */
export function requestSchema<Schema extends z.ZodType, Facts>(
  name: string,
  { schema, fields, registry }: FieldTable<Schema, Facts>,
): JsonSchema {
  const patterns = new Map(fields.map((field) => [field.schema, field.pattern]))
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      withoutSafeBounds({ jsonSchema })
      Object.assign(jsonSchema, boundsAfter(zodSchema))
      const rules = registry.get(zodSchema)
      const pattern = patterns.get(zodSchema)
      if (rules === undefined || pattern === undefined) return
      Object.assign(jsonSchema, {
        'x-error-missing': errorCatalogue[rules.missing].code,
        'x-error-invalid': errorCatalogue[rules.invalid].code,
      })
      const description = joined([
        explainValue(pattern, 'en', rules.invalid),
        explainRequired(pattern, 'en'),
      ])
      if (description !== '') Object.assign(jsonSchema, { description })
    },
  })
  return described(name, withoutDialect(json))
}

export function joined(sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

/** Adds the meaning of each property in front of its rules. */
function described(name: string, schema: JsonSchema): JsonSchema {
  const visit = (json: JsonSchema, path: string): JsonSchema => {
    const { anyOf, properties, items } = json
    return {
      ...json,
      // Values that may be null have two schemas.
      ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one: JsonSchema) => visit(one, path)) }),
      ...(isSchema(items) && { items: visit(items, `${path}[]`) }),
      ...(isSchema(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, value]) => {
            const inner = `${path}.${key}`
            const child = value as JsonSchema
            return [key, visit({ ...child, ...describe(inner, child) }, inner)]
          }),
        ),
      }),
    }
  }
  return visit(schema, name)
}

function describe(path: string, { description, ...json }: JsonSchema): JsonSchema {
  const [text, example] = fieldTextFor(path) ?? []
  const isExplained = 'x-error-invalid' in json && typeof description === 'string'
  if (!isExplained && text !== undefined && description !== undefined)
    throw new Error(`${path} is described at two places`)
  const explained = isExplained ? joined([text, description]) : (text ?? description)
  return {
    ...(explained !== undefined && { description: explained }),
    ...(example !== undefined && { examples: [example] }),
  }
}

/** The text of the longest path suffix that has one: fields of one name mostly mean the same. */
function fieldTextFor(path: string): FieldText | undefined {
  const steps = path.split('.')
  const ends = steps.map((_, index) => steps.slice(index).join('.'))
  return ends.map((end) => fieldTexts[end]).find((text) => text !== undefined)
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The bounds of JavaScript's safe integers do not describe a field. */
function withoutSafeBounds({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** The bounds of a number that is parsed from a number or a text. */
function boundsAfter(schema: z.core.$ZodType): object {
  if (!(schema instanceof z.ZodPipe) || !(schema.out instanceof z.ZodNumber)) return {}
  return { minimum: schema.out.minValue, maximum: schema.out.maxValue }
}

/** The document names the dialect once, for all of its schemas. */
function withoutDialect(json: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== '$schema'))
}
