import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { PanelDeps } from '../panel-deps.js'

const NOTIFICATION_BYTES_MAX = 64 * 1024
/** Headers that a browser would send on behalf of whoever has signed in; notifications have none of them. */
const PERSONAL_HEADERS = ['cookie', 'authorization']

/** Where notifications arrive: without a sign-in, at a path that nobody guesses. */
export function inboxRoutes({ desk }: PanelDeps): Hono {
  const app = new Hono()
  app.use(
    bodyLimit({
      maxSize: NOTIFICATION_BYTES_MAX,
      onError: (c) => c.text('a notification has at most 64 KiB', 413),
    }),
  )
  app.post('/*', async (c) => {
    const headers = Object.fromEntries(
      Object.entries(c.req.header()).filter(([name]) => !PERSONAL_HEADERS.includes(name)),
    )
    const answer = await desk.receive(c.req.path, { headers, body: await c.req.text() })
    if (answer === undefined) return c.text('nobody receives here', 404)
    return new Response('', { status: answer.statusCode })
  })
  return app
}
