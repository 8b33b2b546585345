import { type FieldTable, errorCatalogue } from '@cofre/contracts'
import { z } from 'zod'

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema of an answer. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: 'output' }))
}

/** The schema of a request's body, each field with the codes it earns when it is missing or wrong. */
export function requestSchema<Schema extends z.ZodType, Facts>({
  schema,
  registry,
}: FieldTable<Schema, Facts>): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const rules = registry.get(zodSchema)
      if (rules === undefined) return
      Object.assign(jsonSchema, {
        'x-error-missing': errorCatalogue[rules.missing].code,
        'x-error-invalid': errorCatalogue[rules.invalid].code,
      })
      if (rules.requiredWhen !== undefined) {
        Object.assign(jsonSchema, { description: 'Required by some payment methods' })
      }
    },
  })
  return withoutDialect(json)
}

/** The document names the dialect once, for all of its schemas. */
function withoutDialect(json: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== '$schema'))
}
