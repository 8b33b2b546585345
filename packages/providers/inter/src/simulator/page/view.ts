import { type Language, messages } from '@cofre/pages'
import { TEXTS as PIX_TEXTS, type Texts as PixTexts } from '@cofre/pix-api/simulator-parts'
import type { PageView } from '@cofre/provider-kit/simulator'
import en from './en.json' with { type: 'json' }
import pt from './pt-BR.json' with { type: 'json' }

type OwnTexts = typeof en

/** Inter's own texts override those of any bank with the API Pix. */
export type Texts = Omit<PixTexts, keyof OwnTexts> &
  OwnTexts & { readonly conditions: PixTexts['conditions'] }

const OWN: Readonly<Record<Language, OwnTexts>> = messages({ 'pt-BR': pt, en })

export const TEXTS: Readonly<Record<Language, Texts>> = {
  'pt-BR': textsIn('pt-BR'),
  en: textsIn('en'),
}

function textsIn(language: Language): Texts {
  const pix = PIX_TEXTS[language]
  const own = OWN[language]
  return { ...pix, ...own, conditions: { ...pix.conditions, ...own.conditions } }
}

export interface View extends PageView {
  readonly texts: Texts
}
