// Saved cards in the API of a store.
import { z } from 'zod'
import { type FieldRules, compileFieldTable } from '../validation/field-table.js'
import { isCnpj, isCpf } from '../value/document.js'
import { LIST_LIMIT_MAX, SAVED_CODE } from './limits.js'
import * as fields from './request-fields.js'
import { declineBodySchema, timestamp } from './response.js'

interface SearchFacts {
  readonly isCursor: (text: string) => boolean
}

const rules = new Map<z.core.$ZodType, FieldRules<SearchFacts>>()

/** Every failure of a search has one code. */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Partial<FieldRules<SearchFacts>> = {},
): Schema {
  const name = 'saved_card_search_invalid'
  rules.set(schema, { missing: name, invalid: name, ...conditions })
  return schema
}

const searchSchema = field(
  z.object({
    'payer-email': field(fields.payerEmailSchema.clone()),
    limit: field(fields.countSchema(LIST_LIMIT_MAX).optional(), { isShown: true }),
    cursor: field(z.string().optional(), {
      acceptedWhen: (value, { isCursor }) => typeof value === 'string' && isCursor(value),
    }),
  }),
)

/** Every field of `POST /saved-cards/searches`. */
export const savedCardSearchTable = compileFieldTable(searchSchema, rules)
export type SavedCardSearch = z.output<typeof searchSchema>

const creationRules = new Map<z.core.$ZodType, FieldRules<unknown>>()

/** Every failure of a creation has one code, too. */
function saved<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Pick<FieldRules<unknown>, 'isShown'> = {},
): Schema {
  const code = 'saved_card_invalid'
  creationRules.set(schema, { missing: code, invalid: code, ...conditions })
  return schema
}

const isOfItsType = ({ type, number }: { readonly type: string; readonly number: string }) =>
  type === 'CPF' ? isCpf(number) : isCnpj(number)

const creationSchema = saved(
  z.object({
    token: saved(fields.text(1, 1024)),
    payer: saved(
      z.object({
        name: saved(fields.personOrCompanyNameSchema.clone()),
        document: saved(
          z
            .object({
              type: saved(fields.documentTypeSchema.clone(), { isShown: true }),
              number: saved(z.string()),
            })
            .refine(isOfItsType, { path: ['number'] }),
        ),
        email: saved(fields.payerEmailSchema.clone()),
        ip: saved(fields.ipSchema.clone()),
      }),
    ),
  }),
)

/** Every field of `POST /saved-cards`. */
export const savedCardCreationTable = compileFieldTable(creationSchema, creationRules)
export type SavedCardCreation = z.output<typeof creationSchema>

const savedCardSchema = z.strictObject({
  code: z.string().regex(SAVED_CODE),
  brand: z.string(),
  'last-four': z.string().regex(/^\d{4}$/),
  'expiration-date': z.string().regex(/^\d{4}-\d{2}$/),
  'date-created': timestamp,
  'date-last-used': timestamp.nullable(),
  chargeable: z.boolean(),
})
export type SavedCardElement = z.output<typeof savedCardSchema>

/** Body of `200 OK` of `GET` and `DELETE /saved-cards/{code}`, and of a deletion by `POST`. */
export const savedCardBodySchema = z.strictObject({ 'saved-card': savedCardSchema })
export type SavedCardBody = z.output<typeof savedCardBodySchema>

/**
 * Body of `201 Created` of `POST /saved-cards`: the card, or the reason why its acquirer declined
 * it.
 */
export const savedCardCheckSchema = z.strictObject({
  'saved-card': savedCardSchema.nullable(),
  decline: declineBodySchema.optional(),
})
export type SavedCardCheckBody = z.output<typeof savedCardCheckSchema>

/** Body of `200 OK` of `POST /saved-cards/searches`. */
export const savedCardListSchema = z.strictObject({
  'saved-cards': z.array(savedCardSchema),
  'next-cursor': z.string().nullable(),
})
export type SavedCardListBody = z.output<typeof savedCardListSchema>
