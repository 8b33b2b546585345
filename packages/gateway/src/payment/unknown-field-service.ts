// Fields of a body that nothing reads. Production ignores them; the sandbox says them, and refuses
// them for a store that has asked for it.
import { ApiError, type Environment, type Failure, type FieldTable } from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'

/** What of a body is read. */
export type ReadBody = Pick<FieldTable<never, never>, 'unknownFields'>

/** Names fields of a body that nothing reads, none of what is no JSON; undefined in production. */
export function createUnknownFieldCheck({ environment }: { readonly environment: Environment }) {
  if (environment !== 'sandbox') return undefined
  return (read: ReadBody, body: ArrayBuffer): readonly string[] => {
    try {
      return read.unknownFields(JSON.parse(new TextDecoder().decode(body)))
    } catch {
      // Refused for that where it is read.
      return []
    }
  }
}

/**
 * A store with lenient rules is a plugin that its shop cannot change: it is refused nothing. Nor is
 * any store of production, where the setting does not exist.
 */
export function refusedFields(
  read: ReadBody,
  { unknownFields, rules }: Pick<Merchant, 'unknownFields' | 'rules'>,
  body: unknown,
): readonly Failure[] {
  if (unknownFields !== 'refuse' || rules === 'lenient') return []
  return read.unknownFields(body).map((property) => ({
    name: 'field_unknown',
    property,
    constraint: 'unknown',
    named: { field: property },
  }))
}

/** The value of a judged body. @throws ApiError with every failure of it, and with those beside */
export function accepted<Value>(
  judged:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly failures: readonly Failure[] },
  beside: readonly Failure[],
): Value {
  const failures = [...(judged.ok ? [] : judged.failures), ...beside]
  if (judged.ok && failures.length === 0) return judged.value
  throw new ApiError(failures)
}
