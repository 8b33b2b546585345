import { ownPath } from '../http/own-path.js'
import { readForm } from '../http/posted-form.js'
import type { PanelContext } from '../panel-context.js'

/** Goes back to the page that had the form, so that reloading it does nothing again. */
export async function backTo(c: PanelContext): Promise<Response> {
  const here = (await readForm(c)).get('here')
  return c.redirect(ownPath(here ?? '/'), 303)
}
