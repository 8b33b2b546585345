import { type FieldTable, errorCatalogue } from '@cofre/contracts'
import { explainRequired, explainValue } from '@cofre/contracts/errors'
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
  fields,
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
      const field = fields.find((candidate) => candidate.rules === rules)
      const texts = field && [
        explainValue(field.pattern, 'en'),
        explainRequired(field.pattern, 'en'),
      ]
      const description = texts?.filter((text) => text !== undefined).join(' ')
      if (description) Object.assign(jsonSchema, { description })
    },
  })
  return withoutDialect(json)
}

/** The document names the dialect once, for all of its schemas. */
function withoutDialect(json: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== '$schema'))
}
