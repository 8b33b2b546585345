import { isCnpj, isCpf, phoneSchema } from '@cofre/contracts'
import type { z } from 'zod'
import { because } from '@cofre/provider-kit/bank'

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/
/** The characters in the directory's own pattern. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Brazilian numbers begin with 2 to 9 after their area code. */
const NO_SUBSCRIBER = /^\+55\d\d[01]/

/** A key that the central bank's directory could have, in one of the stored formats. */
export function pixKeyAnswer(key: z.ZodString): z.ZodString {
  return key.superRefine((text, context) => {
    const why = objectionTo(text)
    if (why !== undefined) context.addIssue({ code: 'custom', ...because(why) })
  })
}

function objectionTo(key: string): string | undefined {
  if (/^\d{11}$/.test(key) && !isCpf(key))
    return 'it is not a CPF: its check digits are wrong. A phone number begins with +55.'
  if (/^[0-9A-Z]{14}$/.test(key) && !isCnpj(key))
    return 'it is not a CNPJ: its check digits are wrong.'
  if (key.startsWith('+') && (!phoneSchema.safeParse(key).success || NO_SUBSCRIBER.test(key)))
    return 'it is not a phone number: +55, a two-digit area code, and eight digits, or 9 and eight digits.'
  const at = key.lastIndexOf('@')
  if (at >= 0 && !HOST.test(key.slice(at + 1)))
    return 'it is not an e-mail address: the part after the @ is not a host name.'
  if (at >= 0 && !LOCAL_PART.test(key.slice(0, at)))
    return 'it is not an e-mail address: the part before the @ must be letters from a to z, digits and signs.'
  if (/^(.)\1+$/.test(key.replaceAll('-', '')))
    return 'it is not a random key: all its digits are the same.'
  return undefined
}
