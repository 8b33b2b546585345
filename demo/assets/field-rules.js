// @ts-check
// What can be told about a field before anyone is asked. The vault and the payment service have the last word.
import { judgeCard } from './card-token.js'

/** @typedef {import('./card-token.js').Card} Card */
/** @typedef {'card-number' | 'card-expiry' | 'card-cvv'} CardInput */

/**
 * The input a field of the library was typed into.
 * @type {Record<import('./card-token.js').CardField, CardInput>}
 */
const INPUT_OF_FIELD = {
  number: 'card-number',
  cvv: 'card-cvv',
  month: 'card-expiry',
  year: 'card-expiry',
}

/** @param {string} text */
export const digitsOf = (text) => text.replace(/\D/g, '')

/** @param {string} cpf */
function isCpf(cpf) {
  if (!/^\d{11}$/.test(cpf) || /^(.)\1+$/.test(cpf)) return false
  /** @param {number} length */
  const checkDigit = (length) => {
    let sum = 0
    for (let i = 0; i < length; i++) sum += Number(cpf[i]) * (length + 1 - i)
    return ((sum * 10) % 11) % 10
  }
  return checkDigit(9) === Number(cpf[9]) && checkDigit(10) === Number(cpf[10])
}

/** Rules beyond `required`, by the input's name; the service has the last word. */
export const RULES = /** @type {Record<string, (value: string) => boolean>} */ ({
  name: (value) => /^\S{2,} (?:\S+ )*\S+$/.test(value.replace(/\s+/g, ' ')),
  cpf: (value) => isCpf(digitsOf(value)),
  phone: (value) => value.startsWith('+') || /^[1-9]\d{9,10}$/.test(digitsOf(value)),
  'zip-code': (value) => digitsOf(value).length === 8,
  street: (value) => value.length >= 3,
  complement: (value) => value === '' || value.length >= 5,
  district: (value) => value.length >= 4,
  city: (value) => value.length >= 3,
})

/**
 * @param {Card} card
 * @returns {CardInput[]}
 */
export function wrongCardInputs(card) {
  /** @type {Set<CardInput>} */
  const wrong = new Set()
  if (!/^\d{13,19}$/.test(card.creditCard)) wrong.add('card-number')
  if (!/^(0[1-9]|1[0-2])$/.test(card.expiration.month)) wrong.add('card-expiry')
  if (!/^20\d\d$/.test(card.expiration.year)) wrong.add('card-expiry')
  if (!/^\d{3,4}$/.test(card.cvv)) wrong.add('card-cvv')
  for (const field of judgeCard(card)) wrong.add(INPUT_OF_FIELD[field])
  const order = /** @type {CardInput[]} */ (['card-number', 'card-expiry', 'card-cvv'])
  return order.filter((id) => wrong.has(id))
}
