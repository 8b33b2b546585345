import { errorCatalogue } from '@cofre/contracts'

const KNOWN_CODES: ReadonlySet<number> = new Set(
  Object.values(errorCatalogue).map(({ code }) => code),
)

interface Told {
  /** Each code of the catalogue once, in the order of the answer. */
  readonly codes: readonly number[]
  /** The answer, whole. */
  readonly answer: Response
}

/** The codes of the errors that an answer tells, whichever layer told them. */
export async function toldCodes(response: Response): Promise<Told> {
  const { status } = response
  // Nothing else is asked of an answer without errors: the Node server writes one that nobody has looked into at once.
  if (status < 400) return { codes: [], answer: response }
  const { headers } = response
  if (headers.get('Content-Type')?.includes('json') !== true) return { codes: [], answer: response }
  const text = await response.text()
  return { codes: codesIn(text), answer: new Response(text, { status, headers }) }
}

function codesIn(text: string): readonly number[] {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('errors' in body)) return []
    const { errors } = body
    if (!Array.isArray(errors)) return []
    const codes = errors.map((error: unknown) => (error as { code?: unknown } | null)?.code)
    return [...new Set(codes)].filter(
      (code): code is number => typeof code === 'number' && KNOWN_CODES.has(code),
    )
  } catch {
    // An application's own JSON is none of ours.
    return []
  }
}
