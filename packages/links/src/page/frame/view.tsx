import { type Language, formatMoney, formatTime, openAssets } from '@cofre/pages'
import { createContext, useContext } from 'hono/jsx'
import type { Texts } from '../text/texts.js'

/** Every component's context. */
export interface View {
  readonly language: Language
  readonly texts: Texts
  /** Path of the page. */
  readonly here: string
}

export const ViewContext = createContext<View | undefined>(undefined)

export function useView() {
  const view = useContext(ViewContext)
  if (view === undefined) throw new Error('a component of the payment page is on no page')
  return {
    ...view,
    money: (centavos: number) => formatMoney(centavos, view.language),
    time: (timeMs: number) => formatTime(timeMs, view.language),
  }
}

/**
 * The path of the pages' files and languages: beside the API, and not below `/pay`. In the sandbox
 * the API's origin also serves the reference. Hono's quick router permits no fixed name in place of
 * a link's id, and its slow one would serve every request of the API.
 */
export const ROOT = '/pay-page'
export const assets = openAssets(new URL('../../../assets/', import.meta.url), ROOT)
