import { maskDocument, maskEmail, maskName } from '@cofre/people'
import type { View } from '../frame/visit.js'

/** Masked for roles that need no names. */
export function shownName(name: string, view: View): string {
  return view.may('payers:unmasked') ? name : maskName(name)
}

/** Masked where names are. */
export function shownEmail(email: string, view: View): string {
  return view.may('payers:unmasked') ? email : maskEmail(email)
}

/** CPF or CNPJ; masked for roles that need none. */
export function shownDocument(document: string, view: View): string {
  return view.may('payers:unmasked') ? document : maskDocument(document)
}
