// A store's own names and texts beside a transaction, a refund or a link.
import { z } from 'zod'
import { holdsCardNumber } from '../card/card-numbers-in-text.js'
import { holdsSecurityCode, maskSecurityCodes } from '../card/security-code.js'
import {
  METADATA_KEY,
  METADATA_KEYS_MAX,
  METADATA_KEY_LENGTH_MAX,
  METADATA_VALUE_LENGTH_MAX,
} from './limits.js'
import { freeText } from './request-fields.js'

/** Never empty: without a key, there is none. */
export type Metadata = Readonly<Record<string, string>>

const valueSchema = freeText(1, METADATA_VALUE_LENGTH_MAX)

/**
 * An object of texts, with card numbers and security codes masked; undefined if it is empty. A
 * failure is the whole field's: neither a key nor a value is shown.
 * @param keysMax - Limit of its keys.
 */
export function metadataSchema(keysMax: number = METADATA_KEYS_MAX) {
  return z
    .unknown()
    .transform((sent, context): Metadata | undefined => {
      const read = readMetadata(sent, keysMax)
      if (!('issue' in read)) return read.metadata
      context.addIssue({ ...read.issue, input: sent })
      return z.NEVER
    })
    .meta({
      type: 'object',
      maxProperties: keysMax,
      propertyNames: { pattern: METADATA_KEY.source, maxLength: METADATA_KEY_LENGTH_MAX },
      additionalProperties: {
        type: 'string',
        minLength: 1,
        maxLength: METADATA_VALUE_LENGTH_MAX,
      },
    })
}

type Issue =
  | { readonly code: 'custom' }
  | { readonly code: 'invalid_type'; readonly expected: 'object' }
  | { readonly code: 'too_big'; readonly origin: 'object'; readonly maximum: number }

function readMetadata(
  sent: unknown,
  keysMax: number,
): { readonly metadata: Metadata | undefined } | { readonly issue: Issue } {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { issue: { code: 'invalid_type', expected: 'object' } }
  const sentEntries = Object.entries(sent)
  if (sentEntries.length === 0) return { metadata: undefined }
  if (sentEntries.length > keysMax)
    return { issue: { code: 'too_big', origin: 'object', maximum: keysMax } }
  const entries: [string, string][] = []
  for (const [key, sentValue] of sentEntries) {
    const value = valueSchema.safeParse(sentValue)
    if (!isMetadataKey(key) || !value.success || holdsCard(key))
      return { issue: { code: 'custom' } }
    entries.push([key, maskSecurityCodes(key, value.data)])
  }
  return { metadata: Object.fromEntries(entries) }
}

/** Masked, two keys could become one. */
function holdsCard(key: string): boolean {
  return holdsCardNumber(key) || holdsSecurityCode(key, key)
}

/** As a property, `__proto__` would be no key but the object's prototype. */
export function isMetadataKey(text: string): boolean {
  return METADATA_KEY.test(text) && text !== '__proto__'
}

/** Metadata in responses: `{}` without. */
export const metadataElementSchema = z.record(z.string(), z.string())
