// Keys of stores in the API of operators.
import { z } from 'zod'
import { isoTimeSchema } from '../transaction/request-fields.js'
import { type FieldRules, compileFieldTable } from '../validation/field-table.js'
import { STORE_SCOPES } from './store-settings.js'

/** The facts that decide on a new key. */
export interface StoreKeyFacts {
  readonly isKeyName: (text: string) => boolean
  /** True for a time that is still to come. */
  readonly isToCome: (atMs: number) => boolean
}

const rules = new Map<z.core.$ZodType, FieldRules<StoreKeyFacts>>()

/** Every failure of a key has one code. */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Partial<FieldRules<StoreKeyFacts>> = {},
): Schema {
  const name = 'store_key_invalid'
  rules.set(schema, { missing: name, invalid: name, ...conditions })
  return schema
}

const SHOWN = { isShown: true } as const
const [scope, ...others] = STORE_SCOPES

const keySchema = field(
  z.object({
    name: field(z.string(), {
      acceptedWhen: (value, { isKeyName }) => typeof value === 'string' && isKeyName(value),
    }),
    scopes: field(
      z
        .array(field(z.enum([scope, ...others]), SHOWN))
        .min(1)
        .max(4),
    ),
    until: field(isoTimeSchema.clone().optional(), {
      ...SHOWN,
      acceptedWhen: (value, { isToCome }) =>
        typeof value === 'string' && isToCome(Date.parse(value)),
    }),
  }),
)

/** Every field of `POST /{environment}/stores/{storeId}/keys`. */
export const storeKeyTable = compileFieldTable(keySchema, rules)
export type StoreKeyRequest = z.output<typeof keySchema>

const rotationSchema = field(z.object({ 'at-once': field(z.boolean().optional(), SHOWN) }))

/** Every field of a rotation of a secret, and of drawing a notification secret. */
export const rotationTable = compileFieldTable(rotationSchema, rules)
export type RotationRequest = z.output<typeof rotationSchema>
