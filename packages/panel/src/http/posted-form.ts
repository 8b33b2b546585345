import type { Context } from 'hono'

const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** What was posted is no form, or only the beginning of one. */
export class MalformedFormError extends Error {
  constructor() {
    super('the body is not a form')
    this.name = 'MalformedFormError'
  }
}

/**
 * The text fields of a posted form, the last of each name. A post without a body's type has no fields.
 * @throws MalformedFormError
 */
export async function readForm(c: Context): Promise<ReadonlyMap<string, string>> {
  const contentType = c.req.header('Content-Type')
  const [mediaType = ''] = contentType?.split(';') ?? []
  if (contentType !== undefined && !FORM_TYPES.includes(mediaType.trim().toLowerCase()))
    throw new MalformedFormError()
  // What fails here is the connection: only the parsing after it judges the body.
  await c.req.arrayBuffer()
  const fields = await c.req.parseBody().catch(() => {
    throw new MalformedFormError()
  })
  return new Map(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )
}
