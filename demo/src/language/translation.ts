import type { Language } from './language.js'
import { english } from './messages-en.js'
import { portuguese } from './messages-pt.js'
import type { Messages } from './messages.js'

const MESSAGES: Readonly<Record<Language, Messages>> = {
  'pt-BR': portuguese,
  'en-US': english,
}

export function messagesIn(language: Language): Messages {
  return MESSAGES[language]
}
