// Adds messages for people to errors for programs.
import type { ApiError, ErrorBody, Failure } from '../errors/api-error.js'
import { errorCatalogue } from '../errors/catalogue.js'
import {
  type Explanation,
  type ExplanationLanguage,
  MissingTextError,
  documentsAt,
  explain,
  explainFailure,
  namingPages,
} from './explanation.js'

export * from './explanation.js'

/** Path of the page of errors, on the sandbox's origin. */
export const ERRORS_PATH = '/docs/errors'

/** Path of the API reference, on the same origin. */
export const REFERENCE_PATH = '/docs'

/** Reader of an error. */
export interface ErrorReader {
  /** The request's header. */
  readonly acceptLanguage?: string | null | undefined
  /** Origin that serves the documentation; undefined when none is known. */
  readonly docsOrigin?: string | undefined
}

/** The body of a failed response, with a message for its reader. */
export function explainedBody(error: ApiError, reader: ErrorReader): ErrorBody {
  const language = languageOf(reader.acceptLanguage)
  return error.toBody((failure) => ({
    message: messageOf(failure, language, reader.docsOrigin),
    ...(reader.docsOrigin !== undefined && {
      doc_url: `${reader.docsOrigin}${ERRORS_PATH}#${errorCatalogue[failure.name].code}`,
    }),
  }))
}

/** Cause and fix of a failure, as plain text. */
export function messageOf(
  failure: Failure,
  language: ExplanationLanguage,
  docsOrigin?: string,
): string {
  const { meaning, advice } = explanationOf(failure, language)
  const folder = docsOrigin === undefined ? undefined : documentsAt(docsOrigin, language)
  return namingPages(`${meaning} ${advice}`, folder)
}

/** A refusal is returned even if its text lacks a value. */
function explanationOf(failure: Failure, language: ExplanationLanguage): Explanation {
  try {
    return explainFailure(failure, language)
  } catch (error) {
    if (error instanceof MissingTextError) return explain(failure.name, language)
    throw error
  }
}

/** Regions don't count: a reader of `pt-PT` gets `pt-BR`. */
const LANGUAGES: ReadonlyMap<string, ExplanationLanguage> = new Map([
  ['pt', 'pt-BR'],
  ['en', 'en'],
  ['*', 'pt-BR'],
])

/** The first known language of an `Accept-Language` header (RFC 9110, 12.5.4), else pt-BR. */
function languageOf(header: string | null | undefined): ExplanationLanguage {
  const ranges = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: LANGUAGES.get(tag.replace(/-.*/, '')), weight: Number(weight ?? 1) }
  })
  const [preferred] = ranges
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  return preferred?.language ?? 'pt-BR'
}
