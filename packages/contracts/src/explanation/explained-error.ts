// What an error says to people, put beside what it says to programs.
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

/** Where the page of errors is, on the sandbox's origin. */
export const ERRORS_PATH = '/docs/errors'

/** Where the reference of the API is, on the same origin. */
export const REFERENCE_PATH = '/docs'

/** Who reads an error. */
export interface ErrorReader {
  /** The header of the request. */
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

/** What is wrong and what to do, as plain text. */
export function messageOf(
  failure: Failure,
  language: ExplanationLanguage,
  docsOrigin?: string,
): string {
  const { meaning, advice } = wordsOf(failure, language)
  const folder = docsOrigin === undefined ? undefined : documentsAt(docsOrigin, language)
  return namingPages(`${meaning} ${advice}`, folder)
}

/** A refusal stays one, whatever its words lack. */
function wordsOf(failure: Failure, language: ExplanationLanguage): Explanation {
  try {
    return explainFailure(failure, language)
  } catch (error) {
    if (error instanceof MissingTextError) return explain(failure.name, language)
    throw error
  }
}

/** A language's region does not count: a reader of `pt-PT` reads `pt-BR`. */
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
