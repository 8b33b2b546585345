// Stores in the API of operators.
import { z } from 'zod'
import { transactionLanguageSchema } from '../transaction/language.js'
import { INSTALLMENTS_BY_CONTRACT_MAX, INSTALLMENTS_MAX } from '../transaction/limits.js'
import { REQUEST_RULES } from '../transaction/rule-set.js'
import { timestamp } from '../transaction/response.js'
import { type FieldRules, compileFieldTable } from '../validation/field-table.js'
import { FIELD_ORIGINS_MAX } from '../wire/field-settings.js'

/**
 * Rights of a store to refund; a reseller's category allows no refunds at all (specification,
 * section 7.6).
 */
export const REFUND_RIGHTS = ['full-and-partial', 'full', 'none', 'reseller'] as const
export type RefundRight = (typeof REFUND_RIGHTS)[number]

/** The facts that decide on a store's settings. */
export interface StoreSettingFacts {
  /** Cards that payers have saved, and unread fields, have a setting in the sandbox alone. */
  readonly isSandbox: boolean
  readonly isStoreName: (text: string) => boolean
  readonly isFieldOrigin: (text: string) => boolean
  /** True if notifications may be sent to the address. */
  readonly isNotificationAddress: (text: string) => boolean
}

const rules = new Map<z.core.$ZodType, FieldRules<StoreSettingFacts>>()

/** Every failure of a store's settings has one code. */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Partial<FieldRules<StoreSettingFacts>> = {},
): Schema {
  const name = 'store_settings_invalid'
  rules.set(schema, { missing: name, invalid: name, ...conditions })
  return schema
}

const SHOWN = { isShown: true } as const
const IN_SANDBOX: Partial<FieldRules<StoreSettingFacts>> = {
  ...SHOWN,
  acceptedWhen: (_, { isSandbox }) => isSandbox,
}

/** The most declines that a limit can allow: more would limit nothing. */
export const DECLINE_LIMIT_MAX = 100_000
const declineLimit = () =>
  field(z.union([z.enum(['usual', 'off']), z.int().min(1).max(DECLINE_LIMIT_MAX)]).optional())

const settings = {
  name: field(z.string().optional(), {
    acceptedWhen: (value, { isStoreName }) => typeof value === 'string' && isStoreName(value),
  }),
  refunds: field(z.enum(REFUND_RIGHTS).optional(), SHOWN),
  rules: field(z.enum(REQUEST_RULES).optional(), SHOWN),
  'raw-cards': field(z.boolean().optional(), SHOWN),
  'card-references': field(z.enum(['allow', 'refuse']).optional(), SHOWN),
  signature: field(z.enum(['any', 'rfc9421']).optional(), SHOWN),
  surplus: field(z.enum(['refund', 'keep']).optional(), SHOWN),
  uncaptured: field(z.enum(['void', 'capture']).optional(), SHOWN),
  'card-checks': field(z.enum(['on', 'off']).optional(), SHOWN),
  language: field(transactionLanguageSchema.clone().optional(), SHOWN),
  'notification-url': field(z.string().optional(), {
    acceptedWhen: (value, { isNotificationAddress }) =>
      value === 'none' || (typeof value === 'string' && isNotificationAddress(value)),
  }),
  installments: field(
    z
      .union([
        z.literal('usual'),
        z
          .int()
          .min(INSTALLMENTS_MAX + 1)
          .max(INSTALLMENTS_BY_CONTRACT_MAX),
      ])
      .optional(),
  ),
  'payer-declines': declineLimit(),
  'address-declines': declineLimit(),
  'bin-declines': declineLimit(),
  'field-origins': field(
    z
      .array(
        field(z.string(), {
          acceptedWhen: (value, { isFieldOrigin }) =>
            typeof value === 'string' && isFieldOrigin(value),
        }),
      )
      .max(FIELD_ORIGINS_MAX)
      .optional(),
  ),
  'fields-bin': field(z.enum(['show', 'hide']).optional(), SHOWN),
  'saved-cards': field(z.enum(['fixed', 'own']).optional(), IN_SANDBOX),
  'unknown-fields': field(z.enum(['say', 'refuse']).optional(), IN_SANDBOX),
}

const settingsSchema = field(z.object(settings))

/** Every field of `POST /{environment}/stores/{storeId}/settings`. */
export const storeSettingsTable = compileFieldTable(settingsSchema, rules)
export type StoreSettingsRequest = z.output<typeof settingsSchema>

const storeSchema = field(
  z.object({
    id: field(
      z
        .string()
        .regex(/^[\w-]{1,64}$/)
        .optional(),
      SHOWN,
    ),
    ...settings,
  }),
)

/** Every field of `POST /{environment}/stores`. */
export const storeRequestTable = compileFieldTable(storeSchema, rules)
export type StoreRequest = z.output<typeof storeSchema>

/** A limit in an answer: `usual` and `off` stay words. */
const shownLimit = z.union([z.enum(['usual', 'off']), z.int()])

/**
 * The acts that a store's key may sign: creating and cancelling payments, refunds, look-ups, and
 * changes of what the store has: links, interest, saved cards.
 */
export const STORE_SCOPES = ['pay', 'refund', 'read', 'configure'] as const
export type StoreScope = (typeof STORE_SCOPES)[number]

const storeKeySchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(STORE_SCOPES)),
  'date-created': timestamp,
  'date-last-used': timestamp.nullable(),
  'date-end': timestamp.nullable(),
  'previous-secret-until': timestamp.nullable(),
})
export type StoreKeyElement = z.output<typeof storeKeySchema>

const storeElementSchema = z.strictObject({
  id: z.string(),
  environment: z.enum(['production', 'sandbox']),
  suspended: z.boolean(),
  name: z.string(),
  refunds: z.enum(REFUND_RIGHTS),
  rules: z.enum(REQUEST_RULES),
  'raw-cards': z.boolean(),
  'card-references': z.enum(['allow', 'refuse']),
  signature: z.enum(['any', 'rfc9421']),
  surplus: z.enum(['refund', 'keep']),
  uncaptured: z.enum(['void', 'capture']),
  'card-checks': z.enum(['on', 'off']),
  language: transactionLanguageSchema,
  'notification-url': z.string().nullable(),
  installments: z.int(),
  'payer-declines': shownLimit,
  'address-declines': shownLimit,
  'bin-declines': shownLimit,
  'field-origins': z.array(z.string()),
  'fields-bin': z.enum(['show', 'hide']),
  'saved-cards': z.enum(['fixed', 'own']).optional(),
  'unknown-fields': z.enum(['say', 'refuse']).optional(),
})
export type StoreElement = z.output<typeof storeElementSchema>

const secret = z.string().nullable()

/** Body of `201 Created` of `POST /{environment}/stores`. */
export const createdStoreSchema = z.strictObject({ store: storeElementSchema, secret })
export type CreatedStoreBody = z.output<typeof createdStoreSchema>

/** Body of a store that was changed. */
export const storeBodySchema = z.strictObject({ store: storeElementSchema })
export type StoreBody = z.output<typeof storeBodySchema>

/** Body of `GET /{environment}/stores/{storeId}`. */
export const storeWithKeysSchema = z.strictObject({
  store: storeElementSchema,
  keys: z.array(storeKeySchema),
  'notification-secret-drawn': timestamp.nullable(),
})
export type StoreWithKeysBody = z.output<typeof storeWithKeysSchema>

/** Body of `GET /{environment}/stores`. */
export const storeListSchema = z.strictObject({
  stores: z.array(storeElementSchema),
  'next-cursor': z.string().nullable(),
})
export type StoreListBody = z.output<typeof storeListSchema>

/** Body of a key that was added or ended, or that has a new secret. */
export const storeKeyBodySchema = z.strictObject({ key: storeKeySchema })
export type StoreKeyBody = z.output<typeof storeKeyBodySchema>
export const storeKeySecretSchema = z.strictObject({ key: storeKeySchema, secret })
export type StoreKeySecretBody = z.output<typeof storeKeySecretSchema>

/** Body of a notification secret that was drawn. */
export const notificationSecretSchema = z.strictObject({
  secret,
  'previous-secret-until': timestamp,
})
export type NotificationSecretBody = z.output<typeof notificationSecretSchema>
