/**
 * An error's reason in one line, with its code. When every address of a host fails, Node's
 * AggregateError has no message: its first error has the reason.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.message === '' ? firstReason(error) : error.message
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (text === '') return code === '' ? error.name : code
  return text.includes(code) ? text : `${text} (${code})`
}

function firstReason(error: Error): string {
  if (!(error instanceof AggregateError)) return ''
  const [first] = error.errors as readonly unknown[]
  return first === undefined ? '' : reasonOf(first)
}
