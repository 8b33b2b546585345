import { readCookie, removeCookie, writeCookie } from '@cofre/pages'
import { FRAME_TEXTS, type Texts } from '../visit/texts.js'
import type { PanelParts } from '../visit/panel-parts.js'
import type { PanelContext } from '../visit/visit.js'

const FLASH_COOKIE = 'cofre_panel_flash'
const FLASH_LIFETIME_S = 60

/** The result of an action, which the next page shows. */
export type Flash = keyof Texts['done'] | keyof Texts['refused']

export interface ShownFlash {
  readonly kind: 'good' | 'bad'
  readonly text: string
}

export function setFlash(c: PanelContext, { site }: PanelParts, value: Flash): void {
  writeCookie(c, site, { name: FLASH_COOKIE, value, lifetimeS: FLASH_LIFETIME_S })
}

/** The result of the last action; the next page doesn't repeat it. */
export function consumeFlash(c: PanelContext, { site }: PanelParts): ShownFlash | undefined {
  const value = readCookie(c, site, FLASH_COOKIE)
  if (value === undefined) return undefined
  removeCookie(c, site, FLASH_COOKIE)
  const { done, refused } = FRAME_TEXTS[c.var.language]
  if (Object.hasOwn(done, value)) return { kind: 'good', text: done[value as keyof typeof done] }
  if (Object.hasOwn(refused, value))
    return { kind: 'bad', text: refused[value as keyof typeof refused] }
  return undefined
}
