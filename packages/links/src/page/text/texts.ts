import { messages } from '@cofre/pages'
import english from './en.json' with { type: 'json' }
import portuguese from './pt-BR.json' with { type: 'json' }

/** Every text of the payment page. */
export const TEXTS = messages({ 'pt-BR': portuguese, en: english })
export type Texts = (typeof TEXTS)['en']
