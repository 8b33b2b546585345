import { type Language, messages } from '@cofre/pages'
import en from './en.json' with { type: 'json' }
import pt from './pt-BR.json' with { type: 'json' }

export type Texts = typeof en

/** Every text of the panel. */
export const TEXTS: Readonly<Record<Language, Texts>> = messages({ 'pt-BR': pt, en })

/** A page that the navigation leads to. */
export type PageName = keyof Texts['frame']['pages']
