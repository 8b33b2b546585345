import { plainTextOf } from '@cofre/contracts'
import { readForm } from '@cofre/pages'
import type { Hono } from 'hono'
import type { Flash } from '../frame/flash.js'
import type { PanelParts } from '../visit/panel-parts.js'
import { type PasskeyParts, boundTo, creationOptions, newPasskeyOf } from '../frame/passkeys.js'
import { stepUp } from '../frame/step-up.js'
import { type PanelEnv, viewOf } from '../visit/visit.js'
import { redirectToMe, sessionOf, signInAgain } from './own-session.js'
import { LABEL_LENGTH_MAX } from './passkey-section.js'

const FLASHES = {
  'last-one': 'last-passkey',
  'not-found': 'gone',
  'passkey-taken': 'passkey-taken',
  'too-many': 'too-many-passkeys',
} as const satisfies Readonly<Record<string, Flash>>

/** Adds the pages of the signed-in person's passkeys. */
export function addPasskeys(app: Hono<PanelEnv>, parts: PanelParts, passkeys: PasskeyParts): void {
  const { own } = passkeys.people

  app.post('/me/passkeys/options', async (c) => {
    const { email, personId } = sessionOf(c)
    const held = await own.passkeys(personId)
    return c.json(await creationOptions(passkeys, boundTo(c, 'register'), { name: email, held }))
  })

  app.post('/me/passkeys', async (c) => {
    const form = await readForm(c)
    const unproved = await stepUp(parts, c, form)
    if (unproved) return unproved
    const typed = plainTextOf(form.get('label') ?? '')
      .trim()
      .slice(0, LABEL_LENGTH_MAX)
    const label = typed === '' ? viewOf(c).texts.passkeys.one : typed
    const answer = { json: form.get('passkey') ?? '', label }
    const passkey = await newPasskeyOf(passkeys, boundTo(c, 'register'), answer)
    if (passkey === undefined) return redirectToMe(c, parts, 'passkey-refused')
    const result = await own.addPasskey(sessionOf(c), passkey)
    if (result === 'ended') return signInAgain(c, parts)
    return redirectToMe(c, parts, result === 'done' ? 'passkey-added' : FLASHES[result])
  })

  app.post('/me/passkeys/remove', async (c) => {
    const form = await readForm(c)
    const unproved = await stepUp(parts, c, form)
    if (unproved) return unproved
    const result = await own.removePasskey(sessionOf(c), form.get('passkey') ?? '')
    if (result === 'ended') return signInAgain(c, parts)
    return redirectToMe(c, parts, result === 'done' ? 'passkey-removed' : FLASHES[result])
  })
}
