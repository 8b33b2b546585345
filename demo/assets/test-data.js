// @ts-check
// Shortcuts of the demonstration: everything a sandbox accepts, typed for the reader.

const TEST_VALUES = {
  name: 'Maria da Silva',
  email: 'maria.silva@example.com',
  cpf: '529.982.247-25',
  'birth-date': '1990-05-17',
  phone: '(11) 98765-4321',
  'zip-code': '01310-100',
  street: 'Avenida Paulista',
  number: '1578',
  complement: 'Apartamento 12',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
}

/**
 * Chooses to pay by card, and by this one.
 * @param {string} number
 * @param {string} cvv
 */
export function useTestCard(number, cvv) {
  const cardChoice = document.querySelector('[name=method][value=card]')
  if (cardChoice instanceof window.HTMLInputElement) cardChoice.checked = true
  fillTestCard(number, cvv)
}

/**
 * @param {string} number
 * @param {string} cvv
 */
function fillTestCard(number, cvv) {
  const newCardChoice = document.querySelector('[name=payment-code][value=new]')
  if (newCardChoice instanceof window.HTMLInputElement) newCardChoice.checked = true
  type('card-number', number)
  type('card-expiry', '12/30')
  type('card-cvv', cvv)
}

export function fillTestData() {
  for (const [id, value] of Object.entries(TEST_VALUES)) type(id, value)
  fillTestCard('4111111111111111', '123')
}

/**
 * @param {string} id
 * @param {string} value
 */
function type(id, value) {
  const element = document.getElementById(id)
  if (
    !(element instanceof window.HTMLInputElement) &&
    !(element instanceof window.HTMLSelectElement)
  )
    return
  element.value = value
  element.dispatchEvent(new window.Event('input', { bubbles: true }))
}
