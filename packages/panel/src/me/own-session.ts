import type { OpenedSession, StaffSession } from '@cofre/people'
import { type Flash, setFlash } from '../frame/flash.js'
import type { PanelParts } from '../visit/panel-parts.js'
import { continueSession } from '../frame/step-up.js'
import { type PanelContext, forgetSessions } from '../visit/visit.js'

/** The session of the page's person. */
export function sessionOf(c: PanelContext): StaffSession {
  const { signedIn } = c.var
  if (signedIn?.kind !== 'person') throw new Error('a person’s own page has no person')
  return signedIn.session
}

export function redirectToMe(c: PanelContext, parts: PanelParts, flash: Flash) {
  setFlash(c, parts, flash)
  return c.redirect('/me', 303)
}

/** Redirects to the sign-in, as the session has ended meanwhile. */
export function signInAgain(c: PanelContext, parts: PanelParts) {
  forgetSessions(c, parts)
  return c.redirect('/sign-in?expired=1', 303)
}

interface Changed {
  readonly result: OpenedSession | 'ended'
  readonly flash: Flash
}

/** Continues after a change that ended the other sessions. */
export function proceed(c: PanelContext, parts: PanelParts, { result, flash }: Changed) {
  if (result === 'ended') return signInAgain(c, parts)
  continueSession(c, parts, result)
  return redirectToMe(c, parts, flash)
}
