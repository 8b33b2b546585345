import { messages } from '@cofre/pages'
import en from './en.json' with { type: 'json' }
import pt from './pt-BR.json' with { type: 'json' }

export const WAITING_TEXTS = messages({ 'pt-BR': pt, en })
