import { type Language, formatMoney, formatTime, openAssets } from '@cofre/pages'
import { createContext, useContext } from 'hono/jsx'
import type { Texts } from '../text/texts.js'

/** What every component knows of the page it is on. */
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
 * Where the files and languages of the pages are: beside the API, whose origin in the sandbox has
 * the reference too, and not below `/pay`. Hono's quick router takes no fixed name where a link's
 * id may stand, and its slow one would serve every request of the API.
 */
export const ROOT = '/pay-page'
export const assets = openAssets(new URL('../../../assets/', import.meta.url), ROOT)
