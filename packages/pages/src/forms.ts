import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

const FORM_BYTES_MAX = 64 * 1024
const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** The body is not a form, or is incomplete. Answer it with a page and status 400. */
export class MalformedFormError extends Error {
  constructor() {
    super('the body is not a form')
    this.name = 'MalformedFormError'
  }
}

/** Rejects bodies over 64 KiB; `refuse` makes the response, with status 413. */
export function limitForms(
  refuse: (c: Context) => Response | Promise<Response>,
): MiddlewareHandler {
  return bodyLimit({ maxSize: FORM_BYTES_MAX, onError: refuse })
}

/**
 * The text fields of a posted form, the last of each name. A post without a media type has no
 * fields.
 * @throws MalformedFormError
 */
export async function readForm(c: Context): Promise<ReadonlyMap<string, string>> {
  const contentType = c.req.header('Content-Type')
  const [mediaType = ''] = contentType?.split(';') ?? []
  if (contentType !== undefined && !FORM_TYPES.includes(mediaType.trim().toLowerCase()))
    throw new MalformedFormError()
  // A failure here is the connection's: only the parsing below judges the body.
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
