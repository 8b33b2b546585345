import { messages } from '@cofre/pages'
import en from './en.json' with { type: 'json' }
import pt from './pt-BR.json' with { type: 'json' }

/** Texts of the frame, and words that pages share. */
export const FRAME_TEXTS = messages({ 'pt-BR': pt, en })

export type Texts = typeof en
