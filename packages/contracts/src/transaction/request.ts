import { z } from 'zod'
import { CARD_BRANDS, brandOf, isAccepted } from '../card/brand.js'
import { isCardNumber } from '../card/card-rules.js'
import { hasPlainSecurityCode, isLikeSecurityCode } from '../card/security-code.js'
import type { ErrorName } from '../errors/catalogue.js'
import { minorUnits, parseAmount } from '../value/money.js'
import { isCnpj, isCpf } from '../value/document.js'
import { type FieldRules, compileFieldTable, valueAt } from '../validation/field-table.js'
import { transactionLanguageSchema } from './language.js'
import {
  AMOUNT_MIN,
  CART_QUANTITY_MAX,
  INSTALLMENTS_MAX,
  ONE_CENT,
  PAYMENT_TYPES,
} from './limits.js'
import { methodOfAlias } from './method-alias.js'
import { metadataSchema } from './metadata.js'
import * as fields from './request-fields.js'
import {
  type AddressBounds,
  type AddressOwner,
  type Conditions,
  type RequestFacts,
  type RequestPolicy,
  RULE_SETS,
  type RequestRules,
  type RuleSet,
  isCard,
  isPhysical,
  isWallet,
  addressesAbroad,
  cleanedByCountry,
  inBrazil,
  paysFrom,
} from './rule-set.js'

const registry = new Map<z.core.$ZodType, FieldRules<RequestFacts>>()

type Paired = {
  [Name in ErrorName]: Name extends `${infer Base}_missing` ? Base : never
}[ErrorName]

/** Registers a field whose two codes are `<name>_missing` and `<name>_invalid`. */
function field<Schema extends z.ZodType>(
  name: Paired,
  schema: Schema,
  conditions: Conditions = {},
): Schema {
  const codes = { missing: `${name}_missing` as ErrorName, invalid: `${name}_invalid` as ErrorName }
  return coded(codes, schema, conditions)
}

/** Registers a field with other codes than the usual pair: one for both, or two. */
function coded<Schema extends z.ZodType>(
  codes: ErrorName | Pick<FieldRules<RequestFacts>, 'missing' | 'invalid'>,
  schema: Schema,
  conditions: Conditions = {},
): Schema {
  const pair = typeof codes === 'string' ? { missing: codes, invalid: codes } : codes
  registry.set(schema, { ...pair, ...conditions })
  return schema
}

/** The values can't be a card's or a person's. */
const SHOWN = { isShown: true } as const

/** The sub-types of the method; undefined if the method itself is wrong. */
function subTypesOf({ type, wallets }: RequestFacts): readonly string[] | undefined {
  switch (type) {
    case 'credit-card':
      return CARD_BRANDS.filter(isAccepted).map(({ name }) => name)
    case 'postpay':
      return ['boleto']
    case 'eft':
      return ['pix']
    case 'e-wallet':
      return wallets
    case undefined:
      return undefined
  }
}

function isAmountOfMethod(value: unknown, { type }: RequestFacts): boolean {
  const amount =
    typeof value === 'number' || typeof value === 'string' ? parseAmount(value) : undefined
  return type === undefined || (amount !== undefined && amount >= AMOUNT_MIN[type])
}

function isDocumentNumber(value: unknown, { documentType }: RequestFacts): boolean {
  if (typeof value !== 'string') return false
  switch (documentType) {
    case 'CPF':
      return isCpf(value)
    case 'CNPJ':
      return isCnpj(value)
    case undefined:
      return true
  }
}

/** The two addresses have the same fields and their own minimums (specification, section 2.1). */
function addressSchema(
  owner: AddressOwner,
  min: AddressBounds,
  { cleaned }: Pick<Conditions, 'cleaned'> = {},
) {
  const prefix = `${owner}_address` as const
  const part = <Schema extends z.ZodType>(
    name: AddressPart,
    schema: Schema,
    conditions?: Conditions,
  ): Schema => field(`${prefix}_${name}`, schema, conditions)
  return z.object({
    street: part('street', fields.freeText(min.street, 160)),
    number: part('number', fields.freeText(1, 20)),
    complement: part('complement', fields.freeText(min.complement, 40)).optional(),
    district: part('district', fields.freeText(min.district, 60)),
    state: part('state', fields.freeText(1, 60), inBrazil(owner, /^[A-Za-z]{2}$/)),
    city: part('city', fields.freeText(min.city, 60)),
    country: part('country', z.string().regex(/^[A-Za-z]{2}$/)),
    'zip-code': part('zip_code', fields.zipCodeSchema.clone(), {
      ...inBrazil(owner, /^\d{8}$/),
      ...(cleaned !== undefined && { cleaned: cleanedByCountry(owner, cleaned) }),
    }),
  })
}
type AddressPart =
  | 'street'
  | 'number'
  | 'complement'
  | 'district'
  | 'state'
  | 'city'
  | 'country'
  | 'zip_code'

const transactionSchema = z.object({
  reference: field('transaction_reference', fields.referenceSchema, {
    acceptedWhen: fields.isReferenceOfStore,
  }),
  'project-number': field('transaction_project_number', fields.projectNumberSchema).optional(),
  country: field('transaction_country', z.literal('BR'), SHOWN),
  currency: field('transaction_currency', z.literal('BRL'), SHOWN),
  'checkout-type': field('transaction_checkout_type', z.literal('direct'), SHOWN),
  'notification-url': field('transaction_notification_url', fields.urlSchema, {
    acceptedWhen: fields.isNotificationUrl,
  }),
  language: field('transaction_language', transactionLanguageSchema, SHOWN),
  gifting: coded('transaction_invalid', z.boolean()).optional(),
  metadata: coded('transaction_invalid', metadataSchema()).optional(),
  'redirect-urls': field(
    'transaction_redirect_urls',
    z
      .object({
        success: field('transaction_redirect_urls_success', fields.urlSchema.clone()),
        fail: field('transaction_redirect_urls_fail', fields.urlSchema.clone()),
      })
      .optional(),
    { requiredWhen: isWallet },
  ),
})

function isAcceptedCardNumber(number: string): boolean {
  const brand = brandOf(number)
  return brand !== undefined && isAccepted(brand) && isCardNumber(number, brand)
}

const creditCardSchema = z.object({
  number: coded(
    'charge_#_payment_info_credit_card_number_invalid',
    z.string().regex(/^\d{1,19}$/),
    {
      acceptedWhen: (value) => typeof value === 'string' && isAcceptedCardNumber(value),
    },
  ),
  cvv: coded('charge_#_payment_info_credit_card_cvv_invalid', z.string().regex(/^\d{3,4}$/)),
  'expiration-date': coded(
    'charge_#_payment_info_credit_card_expiration_date_invalid',
    fields.expirationDateSchema,
  ),
})

/** All its failures have one code; the property names the field. */
const ofThreeDSecure = <Schema extends z.ZodType>(schema: Schema): Schema =>
  coded('charge_#_payment_info_three_d_secure_invalid', schema)

const threeDSecureSchema = z.object({
  version: ofThreeDSecure(fields.threeDSecureVersionSchema),
  eci: ofThreeDSecure(fields.eciSchema),
  cavv: ofThreeDSecure(fields.cavvSchema),
  'ds-transaction-id': ofThreeDSecure(z.guid()).optional(),
})

const paymentInfoSchema = (installmentsMax: number) =>
  z.object({
    installments: field(
      'charge_#_payment_info_installments',
      fields.countSchema(installmentsMax).optional(),
      { ...SHOWN, requiredWhen: isCard },
    ),
    token: field('charge_#_payment_info_token', fields.text(1, 1024).optional(), {
      requiredWhen: paysFrom('token'),
    }),
    code: field('charge_#_payment_info_code', fields.savedCodeSchema).optional(),
    'security-code-token': coded(
      'charge_#_payment_info_security_code_token_invalid',
      fields.encryptedTokenSchema.clone().optional(),
      {
        acceptedWhen: (_, facts) => facts.type === undefined || paysFrom('code')(facts),
        boundsWhen: () => ({ cause: 'without-code' }),
        hintOf: (value) => (isLikeSecurityCode(value) ? 'security-code' : undefined),
      },
    ),
    save: field('charge_#_payment_info_save', z.boolean(), SHOWN).optional(),
    capture: coded('charge_#_payment_info_capture_invalid', z.boolean().optional(), {
      ...SHOWN,
      acceptedWhen: (_, facts) => facts.type === undefined || isCard(facts),
    }),
    'credit-card': coded('charge_#_payment_info_credit_card_invalid', creditCardSchema).optional(),
    'three-d-secure': coded(
      'charge_#_payment_info_three_d_secure_invalid',
      threeDSecureSchema.optional(),
      { acceptedWhen: (_, facts) => facts.type === undefined || isCard(facts) },
    ),
  })

const chargeSchema = (installmentsMax: number) =>
  z.object({
    amount: field('charge_#_amount', fields.amountSchema(ONE_CENT), {
      ...SHOWN,
      acceptedWhen: isAmountOfMethod,
      boundsWhen: ({ type }) => (type === undefined ? {} : { minimum: AMOUNT_MIN[type] / 100 }),
    }),
    currency: coded('charge_invalid', z.literal('BRL').optional(), {
      ...SHOWN,
      requiredWhen: paysFrom('raw'),
    }),
    'payment-method': field(
      'charge_#_payment_method',
      z.object({
        type: field('charge_#_payment_method_type', z.enum(PAYMENT_TYPES), {
          ...SHOWN,
          hintOf: methodOfAlias,
        }),
        'sub-type': field('charge_#_payment_method_sub_type', z.string().optional(), {
          ...SHOWN,
          requiredWhen: ({ type }) => type !== undefined && type !== 'credit-card',
          acceptedWhen: (value, facts) => subTypesOf(facts)?.some((one) => one === value) !== false,
          boundsWhen: (facts) => ({ allowed: subTypesOf(facts) }),
        }),
      }),
    ),
    'payment-info': field('charge_#_payment_info', paymentInfoSchema(installmentsMax).optional(), {
      requiredWhen: isCard,
      acceptedWhen: (value) => !hasPlainSecurityCode(value),
      hintOf: (value) => (hasPlainSecurityCode(value) ? 'security-code' : undefined),
    }),
  })

const PAYER_ADDRESS_MIN: AddressBounds = { street: 1, complement: 1, district: 1, city: 1 }

const payerSchema = (set: RuleSet) =>
  z.object({
    name: field('payer_name', set.name, set.conditions.name),
    email: field('payer_email', fields.payerEmailSchema),
    'birth-date': field('payer_birth_date', fields.birthDateSchema.optional(), {
      ...set.conditions.birthDate,
      acceptedWhen: (value, { today }) => typeof value === 'string' && value <= today,
    }),
    'phone-number': field('payer_phone_number', fields.phoneSchema.optional(), {
      ...set.conditions.phone,
      requiredWhen: (facts) => isCard(facts) && facts.cardSource !== 'raw',
    }),
    document: field(
      'payer_document',
      z.object({
        type: field('payer_document_type', fields.documentTypeSchema.clone(), SHOWN),
        number: field('payer_document_number', z.string(), {
          ...set.conditions.document,
          acceptedWhen: isDocumentNumber,
        }),
      }),
    ),
    ip: field('payer_ip', fields.ipSchema.optional(), {
      requiredWhen: (facts) =>
        facts.type !== undefined && (!isCard(facts) || facts.cardSource === 'raw'),
    }),
    address: field(
      'payer_address',
      addressSchema('payer', PAYER_ADDRESS_MIN, set.conditions.zipCode).optional(),
      { requiredWhen: isPhysical },
    ),
  })

const shippingSchema = (set: RuleSet) =>
  z.object({
    cost: field('shipping_cost', fields.amountSchema(minorUnits(0)), {
      ...SHOWN,
      ...set.conditions.shippingCost,
    }),
    address: field(
      'shipping_address',
      addressSchema('shipping', set.shippingMin, set.conditions.zipCode),
    ),
  })

const cartItemSchema = z.object({
  quantity: field('cart_#_quantity', fields.countSchema(CART_QUANTITY_MAX), SHOWN),
  description: field('cart_#_description', fields.freeText(1, 200)),
  'unit-price': field('cart_#_unit_price', fields.unitPriceSchema, SHOWN),
  type: field('cart_#_type', z.enum(['digital', 'physical', 'service', 'subscription']), SHOWN),
  category: field('cart_#_category', fields.freeText(1, 64)).optional(),
})

const requestSchema = (set: RuleSet, installmentsMax: number) =>
  coded(
    'body_invalid',
    z.object({
      transaction: field('transaction', transactionSchema),
      charge: field(
        'charge',
        z
          .array(
            coded(
              { missing: 'charge_missing', invalid: 'charge_invalid' },
              chargeSchema(installmentsMax),
            ),
          )
          .length(1),
      ),
      payer: coded('payer_invalid', payerSchema(set)),
      shipping: field('shipping', shippingSchema(set).optional(), { requiredWhen: isPhysical }),
      cart: field(
        'cart',
        z.array(coded({ missing: 'cart_missing', invalid: 'cart_invalid' }, cartItemSchema)).min(1),
      ),
    }),
  )

/** A valid body of `POST /transactions`: amounts in centavos, document type in upper case. */
export type TransactionRequest = z.output<ReturnType<typeof requestSchema>>
export type Charge = TransactionRequest['charge'][number]
export type ThreeDSecure = z.output<typeof threeDSecureSchema>

/** The fields of `POST /transactions`, codes and rules (specification, sections 2.1, 7.4). */
export const transactionRequestTable = tableOf('specification')

/** The fields by rule set, compiled once. */
export const transactionRequestTables = {
  specification: transactionRequestTable,
  lenient: tableOf('lenient'),
}

function tableOf(rules: RequestRules, installmentsMax: number = INSTALLMENTS_MAX) {
  return compileFieldTable(requestSchema(RULE_SETS[rules], installmentsMax), registry)
}

const tablesByContract = new Map<string, ReturnType<typeof tableOf>>()

/** The table of a store, which may offer more installments than others. */
export function requestTableOf({
  rules,
  installmentsMax,
}: {
  readonly rules: RequestRules
  readonly installmentsMax?: number | undefined
}): ReturnType<typeof tableOf> {
  if (installmentsMax === undefined) return transactionRequestTables[rules]
  const key = `${rules} ${installmentsMax}`
  const table = tablesByContract.get(key) ?? tableOf(rules, installmentsMax)
  tablesByContract.set(key, table)
  return table
}

/** Reads the facts that decide on required fields, from a body of any shape. */
export function requestFacts(body: unknown, policy: RequestPolicy): RequestFacts {
  const charge = valueAt(body, ['charge', 0])
  const type = valueAt(charge, ['payment-method', 'type'])
  const info = valueAt(charge, ['payment-info'])
  const documentType = valueAt(body, ['payer', 'document', 'type'])
  const upper = typeof documentType === 'string' ? documentType.toUpperCase() : undefined
  const cart = valueAt(body, ['cart'])
  return {
    ...policy,
    type: PAYMENT_TYPES.find((known) => known === type),
    cardSource:
      valueAt(info, ['code']) !== undefined
        ? 'code'
        : valueAt(info, ['credit-card']) !== undefined
          ? 'raw'
          : 'token',
    documentType: upper === 'CPF' || upper === 'CNPJ' ? upper : undefined,
    isAbroad: addressesAbroad(body),
    hasPhysicalItem:
      Array.isArray(cart) && cart.some((item) => valueAt(item, ['type']) === 'physical'),
  }
}
