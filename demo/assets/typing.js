// Checks and formatting while a reader types. The vault and the payment service decide.

export const digitsOf = (text) => text.normalize('NFKC').replace(/\D/g, '')

function isCpf(cpf) {
  if (!/^\d{11}$/.test(cpf) || /^(.)\1+$/.test(cpf)) return false
  const checkDigit = (length) => {
    const digits = [...cpf.slice(0, length)].map(Number)
    const sum = digits.reduce((total, digit, index) => total + digit * (length + 1 - index), 0)
    return ((sum * 10) % 11) % 10
  }
  return checkDigit(9) === Number(cpf[9]) && checkDigit(10) === Number(cpf[10])
}

/** True if an input meets its attributes, and a CPF its check digits. */
export function isRight({ name, value, validity }) {
  return validity.valid && (name !== 'cpf' || isCpf(digitsOf(value)))
}

/** Groups a card number's digits as on the card. */
function groupDigits(input) {
  if (input.selectionStart !== input.value.length) return
  const digits = digitsOf(input.value).slice(0, 19)
  const isAmex = /^3[47]/.test(digits)
  const groups = isAmex ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /(\d{1,4})(\d{1,4})?(\d{1,4})?(\d+)?/
  input.value = (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ')
}

/** Puts the slash between month and year; password managers fill in `203012`. */
function tidyExpiry(input, { inputType = '' }) {
  const digits = digitsOf(input.value).replace(/^(20\d{2})(\d{2})$/, '$2$1')
  const isLongYear = /^\d{2}20\d{2}$/.test(digits)
  if (isLongYear) input.value = `${digits.slice(0, 2)}/${digits.slice(4)}`
  else if (!inputType.startsWith('delete') && digits.length >= 2 && !input.value.includes('/'))
    input.value = `${digits.slice(0, 2)}/${digits.slice(2)}`
}

export function tidyWhileTyping(event) {
  if (event.target.id === 'card-number') groupDigits(event.target)
  if (event.target.id === 'card-expiry') tidyExpiry(event.target, event)
}
