// Rules for a person's answers about a new account, beside the schema of stored settings. The
// issues explain why, for that person.
import type { AccountQuestion } from '../account/index.js'
import { asciiSpelling, isCnpj, isCpf } from '@cofre/contracts'
import type { z } from 'zod'

/** The issue of a refused answer, with the reason. */
export const because = (why: string) => ({ params: { why } })

/** For a receiver's text: PIX codes and files of boletos hold no other letters. */
export function withAsciiLetter(text: z.ZodString): z.ZodString {
  const why =
    'it has no letter that is written from A to Z, and PIX codes and files hold no others. Write it in Latin letters, as the bank has it.'
  return text.refine((name) => /[A-Za-z]/.test(asciiSpelling(name)), because(why))
}

/** For the document of the payer of test boletos. */
export function documentAnswer(text: z.ZodString): z.ZodString {
  const why = 'it is neither a CPF nor a CNPJ: its last two digits check the others.'
  return text.refine((document) => isCpf(document) || isCnpj(document), because(why))
}

/** The message about a refused answer: its own reason, else the expected format. */
export function refusal(
  { text, help }: Pick<AccountQuestion, 'text' | 'help'>,
  { issues }: z.ZodError,
): string {
  const [issue] = issues
  const why: unknown = issue?.code === 'custom' ? issue.params?.why : undefined
  return typeof why === 'string' ? `${text}: ${why}` : `${text} is not valid. ${help}`
}
