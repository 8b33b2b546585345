import type { z } from 'zod'
import { holdsCardNumber } from '../card/card-numbers-in-text.js'
import { minorUnits } from '../value/money.js'
import { beginningOf } from '../value/text.js'
import { type FieldRules, valueAt } from '../validation/field-table.js'
import { NAME_LENGTH_MAX, NAME_LENGTH_MAX_WITHOUT_CARD, type PaymentType } from './limits.js'
import * as fields from './request-fields.js'

/** Rule sets for a store's payment requests. */
export const REQUEST_RULES = ['specification', 'lenient'] as const
export type RequestRules = (typeof REQUEST_RULES)[number]

/** Facts from the gateway's configuration, beside those of a body. */
export interface RequestPolicy extends fields.StorePolicy {
  /** The day of the request, `YYYY-MM-DD`. */
  readonly today: string
  /** Sub-types of `e-wallet`. */
  readonly wallets: readonly string[]
}

/** Facts that decide which fields a request needs; read from the body before validation. */
export interface RequestFacts extends RequestPolicy {
  readonly type: PaymentType | undefined
  readonly cardSource: 'token' | 'code' | 'raw'
  readonly documentType: 'CPF' | 'CNPJ' | undefined
  readonly hasPhysicalItem: boolean
  /** True for an address in another country than Brazil. */
  readonly isAbroad: Readonly<Record<AddressOwner, boolean>>
}

export type AddressOwner = 'payer' | 'shipping'

/** Smallest lengths of an address's texts. */
export interface AddressBounds {
  readonly street: number
  readonly complement: number
  readonly district: number
  readonly city: number
}

/** Conditions on a field, beside its schema. */
export type Conditions = Omit<FieldRules<RequestFacts>, 'missing' | 'invalid'>

/** All differences between the rule sets. */
export interface RuleSet {
  readonly name: z.ZodString
  readonly conditions: Readonly<
    Partial<
      Record<'name' | 'document' | 'birthDate' | 'phone' | 'zipCode' | 'shippingCost', Conditions>
    >
  >
  readonly shippingMin: AddressBounds
  /** True if a charge must equal the sum of its cart and its shipping. */
  readonly comparesSum: boolean
}

export const isCard = ({ type }: RequestFacts): boolean => type === 'credit-card'
export const isWallet = ({ type }: RequestFacts): boolean => type === 'e-wallet'
export const isPhysical = ({ hasPhysicalItem }: RequestFacts): boolean => hasPhysicalItem
export const paysFrom =
  (source: RequestFacts['cardSource']) =>
  (facts: RequestFacts): boolean =>
    isCard(facts) && facts.cardSource === source

/** True if an address may have another country's format. Banks accept only Brazilian addresses. */
const isAcceptedAbroad = ({ isAbroad, type }: RequestFacts, owner: AddressOwner): boolean =>
  isAbroad[owner] && (type === undefined || type === 'credit-card' || type === 'e-wallet')
/** Requires Brazil's format for an address, unless a foreign one is accepted. */
export const inBrazil = (owner: AddressOwner, pattern: RegExp): Conditions => ({
  acceptedWhen: (value, facts) =>
    isAcceptedAbroad(facts, owner) || (typeof value === 'string' && pattern.test(value)),
  boundsWhen: (facts) => (facts.isAbroad[owner] ? { cause: 'abroad' } : {}),
})

/** Cleans a Brazilian ZIP code by its rules, and an accepted foreign one as a text. */
export function cleanedByCountry(
  owner: AddressOwner,
  cleaned: NonNullable<Conditions['cleaned']>,
): NonNullable<Conditions['cleaned']> {
  return (value, facts) => {
    if (!isAcceptedAbroad(facts, owner)) return cleaned(value, facts)
    return typeof value === 'string' ? withPlainBlanks(value) : value
  }
}

/** Finds the addresses in another country than Brazil, in a body of any shape. */
export function addressesAbroad(body: unknown): RequestFacts['isAbroad'] {
  const isAbroad = (owner: AddressOwner): boolean => {
    const country = valueAt(body, [owner, 'address', 'country'])
    return typeof country === 'string' && country.toUpperCase() !== 'BR'
  }
  return { payer: isAbroad('payer'), shipping: isAbroad('shipping') }
}

const nameLengthMax = (facts: RequestFacts): number =>
  isCard(facts) ? NAME_LENGTH_MAX : NAME_LENGTH_MAX_WITHOUT_CARD

const nameBounds = (facts: RequestFacts) => ({ maximum: nameLengthMax(facts) })

/** A letter counts once, even if its accent is a separate character. */
const isShortEnough = (value: unknown, facts: RequestFacts): boolean =>
  typeof value !== 'string' || value.normalize('NFC').length <= nameLengthMax(facts)

const SPECIFICATION: RuleSet = {
  name: fields.payerNameSchema,
  conditions: {
    name: { acceptedWhen: isShortEnough, boundsWhen: nameBounds },
    birthDate: { requiredWhen: (facts) => isCard(facts) && facts.documentType === 'CPF' },
  },
  shippingMin: { street: 3, complement: 5, district: 4, city: 3 },
  comparesSum: true,
}

/** For orders as shops have them: text that people type is cleaned before validation. */
const LENIENT: RuleSet = {
  name: fields.personOrCompanyNameSchema,
  conditions: {
    name: {
      cleaned: (value, facts) =>
        typeof value === 'string' ? cleanName(value, nameLengthMax(facts)) : value,
      acceptedWhen: (value, facts) =>
        isShortEnough(value, facts) &&
        (facts.documentType === 'CNPJ' || fields.payerNameSchema.safeParse(value).success),
    },
    document: { cleaned: without(/[.\-/\s\p{Cf}\p{Pd}\u2212]/gu) },
    phone: { cleaned: without(/[.\-/()\s\p{Cf}\p{Pd}\u2212]/gu) },
    zipCode: { cleaned: without(/[.\-/\s\p{Cf}\p{Pd}\u2212]/gu) },
    shippingCost: { cleaned: (value) => value ?? minorUnits(0) },
  },
  shippingMin: { ...SPECIFICATION.shippingMin, complement: 1, district: 1 },
  comparesSum: false,
}

export const RULE_SETS: Readonly<Record<RequestRules, RuleSet>> = {
  specification: SPECIFICATION,
  lenient: LENIENT,
}

/**
 * Cleans a number that people typed or copied: removes dashes of any kind and invisible characters,
 * and replaces digits of other widths. A text with nothing left counts as absent.
 */
function without(characters: RegExp): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'string') return value
    const rest = value.normalize('NFKC').replaceAll(characters, '')
    return rest === '' ? undefined : rest
  }
}

/** A text on one line, without invisible characters or blanks around it. */
function withPlainBlanks(text: string): string {
  const seen = text.replaceAll(/\p{Cf}/gu, '')
  return seen.trim().replaceAll(/\s+/g, ' ')
}

/**
 * The name with single spaces, without invisible characters, an accent and its letter as one
 * character, cut at its maximum length. A name with a card number is not cut: the cut could leave
 * most of its digits.
 */
function cleanName(sent: string, lengthMax: number): string {
  const name = withPlainBlanks(sent).normalize('NFC')
  return holdsCardNumber(name) ? name : beginningOf(name, lengthMax).trimEnd()
}
