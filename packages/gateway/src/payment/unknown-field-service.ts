// Fields of a body that no interface reads. Production ignores them. The sandbox reports them, and
// refuses them for a store with that setting.
import { ApiError, type Environment, type Failure, type FieldTable } from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'

/** The fields that are read of a body. */
export type ReadBody = Pick<FieldTable<never, never>, 'unknownFields'>

/** Names the unread fields of a body, and none if it is no JSON; undefined in production. */
export function createUnknownFieldCheck({ environment }: { readonly environment: Environment }) {
  if (environment !== 'sandbox') return undefined
  return (read: ReadBody, body: ArrayBuffer): readonly string[] => {
    try {
      return read.unknownFields(JSON.parse(new TextDecoder().decode(body)))
    } catch {
      // The reader of the body refuses it.
      return []
    }
  }
}

/**
 * A store with lenient rules is a plugin that its shop cannot change, so nothing is refused. In
 * production the setting does not exist, so nothing is refused either.
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

/** The value of a judged body. @throws ApiError with all its failures, and those beside */
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
