// What a person may answer of a new account, beside the shape that stored settings have. The issues
// say why, for the person who answers.
import type { AccountQuestion } from '../account/index.js'
import { asciiSpelling, isCnpj, isCpf } from '@cofre/contracts'
import type { z } from 'zod'

/** Issue of an answer that is refused, with why. */
export const because = (why: string) => ({ params: { why } })

/** Of a receiver: neither PIX codes nor files of boletos hold other letters. */
export function withAsciiLetter(text: z.ZodString): z.ZodString {
  const why =
    'it has no letter that is written from A to Z, and PIX codes and files hold no others. Write it in Latin letters, as the bank has it.'
  return text.refine((name) => /[A-Za-z]/.test(asciiSpelling(name)), because(why))
}

/** Of the payer whose boletos are tests. */
export function documentAnswer(text: z.ZodString): z.ZodString {
  const why = 'it is neither a CPF nor a CNPJ: its last two digits check the others.'
  return text.refine((document) => isCpf(document) || isCnpj(document), because(why))
}

/** What is said of an answer that is refused: its own reason, else how it looks. */
export function refusal(
  { text, help }: Pick<AccountQuestion, 'text' | 'help'>,
  { issues }: z.ZodError,
): string {
  const [issue] = issues
  const why: unknown = issue?.code === 'custom' ? issue.params?.why : undefined
  return typeof why === 'string' ? `${text}: ${why}` : `${text} is not valid. ${help}`
}
