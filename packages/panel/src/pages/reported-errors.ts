import type { RecordedRequest } from '@cofre/sandbox'

/** One error of an answer, as far as it can be read. */
export interface ReportedError {
  readonly code: number
  /** The key text; undefined when the answer's body cannot be read. */
  readonly description: string | undefined
  /** Path of the wrong field. */
  readonly property: string | undefined
  readonly constraint: string | undefined
}

/** The errors a request was answered with, in the answer's order. */
export function reportedErrors({ responseBody, errorCodes }: RecordedRequest): ReportedError[] {
  const reported = errorsIn(responseBody)
  return errorCodes.map((code, index) => {
    const error = reported[index]
    const fields = error !== undefined && Number(error.code) === code ? error : {}
    return {
      code,
      description: textOf(fields.description),
      property: textOf(fields.property),
      constraint: textOf(fields.constraint),
    }
  })
}

type UnknownError = Readonly<
  Partial<Record<'code' | 'description' | 'property' | 'constraint', unknown>>
>

function errorsIn(body: string): readonly UnknownError[] {
  try {
    const { errors } = JSON.parse(body) as { readonly errors?: unknown }
    return Array.isArray(errors) ? errors.filter(isObject) : []
  } catch {
    // Not JSON, or only its beginning: the codes are shown without their fields.
    return []
  }
}

function isObject(value: unknown): value is UnknownError {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
