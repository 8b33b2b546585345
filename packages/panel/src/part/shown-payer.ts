import { maskDocument, maskEmail, maskName, maskPayersInText } from '@cofre/people'
import type { View } from '../visit/visit.js'

/** A payer's name, masked for roles that don't need it. */
export function shownName(name: string, view: View): string {
  return view.may('payers:unmasked') ? name : maskName(name)
}

/** A payer's e-mail, masked for roles that don't need it. */
export function shownEmail(email: string, view: View): string {
  return view.may('payers:unmasked') ? email : maskEmail(email)
}

/** CPF or CNPJ with its punctuation; masked for roles that don't need it. */
export function shownDocument(document: string, view: View): string {
  if (!view.may('payers:unmasked')) return maskDocument(document)
  return document
    .replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
    .replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/, '$1.$2.$3/$4-$5')
}

/** A store's own text; its e-mails and documents are masked for roles that don't need them. */
export function shownText(text: string, view: View): string {
  return view.may('payers:unmasked') ? text : maskPayersInText(text)
}
