import { messages } from '@cofre/pages'
import type { PageView } from '../../page/view.js'
import en from './en.json' with { type: 'json' }
import pt from './pt-BR.json' with { type: 'json' }

export const TEXTS = messages({ 'pt-BR': pt, en })
export type Texts = (typeof TEXTS)['en']

export interface View extends PageView {
  readonly texts: Texts
}
