// @ts-check
// Numbers as people write them.
import { digitsOf } from './field-rules.js'

/**
 * A card number in the groups that are printed on it.
 * @param {HTMLInputElement} element
 */
export function groupDigits(element) {
  const isAtEnd = element.selectionStart === element.value.length
  if (!isAtEnd) return
  const digits = digitsOf(element.value).slice(0, 19)
  const groups = /^3[47]/.test(digits) ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : undefined
  element.value =
    groups === undefined
      ? digits.replace(/(\d{4})(?=\d)/g, '$1 ')
      : (groups.exec(digits)?.slice(1).filter(Boolean).join(' ') ?? digits)
}

/**
 * Puts the slash between month and year.
 * @param {HTMLInputElement} element
 * @param {Event} event
 */
export function tidyExpiry(element, event) {
  const isDeleting = event instanceof window.InputEvent && event.inputType.startsWith('delete')
  const digits = digitsOf(element.value)
  const isLongYear = /^\d{2}20\d{2}$/.test(digits)
  if (isLongYear) element.value = `${digits.slice(0, 2)}/${digits.slice(4)}`
  else if (!isDeleting && digits.length >= 2 && !element.value.includes('/'))
    element.value = `${digits.slice(0, 2)}/${digits.slice(2)}`
}

/** How Brazilians write numbers, once the field is left. */
const WRITTEN_FORMS = /** @type {Record<string, [RegExp, string]>} */ ({
  cpf: [/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4'],
  phone: [/^(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3'],
  'zip-code': [/^(\d{5})(\d{3})$/, '$1-$2'],
})

/** @param {HTMLInputElement} element */
export function writeOut(element) {
  const written = WRITTEN_FORMS[element.name]
  const digits = digitsOf(element.value)
  if (written !== undefined && !element.value.startsWith('+') && written[0].test(digits))
    element.value = digits.replace(written[0], written[1])
}
