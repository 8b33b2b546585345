import type { HonoRequest } from 'hono'

/** Whether an open page asks by itself (`panel.js`), and nobody has done anything. */
export function isByScript(request: HonoRequest): boolean {
  return request.path === '/events' || request.header('X-Panel-Update') !== undefined
}
