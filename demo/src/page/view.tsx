import { type Language, formatMoney, formatTime, openAssets } from '@cofre/pages'
import { createContext, useContext } from 'hono/jsx'
import type { Shop } from '../payment/shop.js'
import type { Texts } from '../texts/texts.js'

/** The context of every component: the page's shop, language and texts. */
export interface View {
  readonly shop: Shop
  readonly language: Language
  readonly texts: Texts
  /** Path and query of the page. */
  readonly here: string
  readonly cartCount: number
}

export const ViewContext = createContext<View | undefined>(undefined)

export function useView() {
  const view = useContext(ViewContext)
  if (view === undefined) throw new Error('a component of the shop is on no page')
  return {
    ...view,
    money: (centavos: number) => formatMoney(centavos, view.language),
    time: (timeMs: number) => formatTime(timeMs, view.language),
  }
}

export const assets = openAssets(new URL('../../assets/', import.meta.url))

interface DrawingProps {
  readonly name: string
  readonly viewBox: string
  readonly class: string
  readonly preserveAspectRatio?: string
}

/**
 * One of the shop's drawings. The text beside it has the same meaning, so screen readers skip it.
 */
export function Drawing({ name, ...props }: DrawingProps) {
  return (
    <svg {...props} aria-hidden="true" focusable="false">
      <use href={`${assets.urlOf('drawings.svg')}#${name}`} />
    </svg>
  )
}

export function Icon({ name }: { readonly name: string }) {
  return <Drawing name={`icon-${name}`} viewBox="0 0 24 24" class="icon" />
}
