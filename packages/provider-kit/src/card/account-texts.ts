import { type AccountAnswers, AccountError } from '../account/index.js'
import { Secret } from '@cofre/contracts'

/** The answers that are not empty, without the blanks around them. @throws AccountError */
export function textsOf(answers: AccountAnswers): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const [name, answer] of Object.entries(answers)) {
    const text = answer instanceof Secret ? answer.reveal() : answer
    if (typeof text !== 'string') throw new AccountError(name, 'is a text, and no file')
    if (text.trim() !== '') texts[name] = text.trim()
  }
  return texts
}
