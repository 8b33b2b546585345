/** A query as it is sent, without what is absent. */
export function queryText(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value instanceof Date) parameters.set(name, value.toISOString())
    else if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.toString()
}
