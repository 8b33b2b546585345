import type { Context } from 'hono'

/** The text fields of a posted form, the last of each name. */
export async function readForm(c: Context): Promise<ReadonlyMap<string, string>> {
  const fields = await c.req.parseBody()
  return new Map(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )
}
