// Shortcuts of the demonstration: everything that a sandbox accepts, typed for the reader.

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

export function fillTestData() {
  for (const [id, value] of Object.entries(TEST_VALUES)) type(id, value)
  fillTestCard('4111111111111111', '123')
}

/** Chooses to pay by card, and by this one. */
export function useTestCard(number, cvv) {
  document.querySelector('[name=method][value=card]').checked = true
  fillTestCard(number, cvv)
}

function fillTestCard(number, cvv) {
  const newCard = document.querySelector('[name=payment-code][value=new]')
  if (newCard !== null) newCard.checked = true
  type('card-number', number)
  type('card-expiry', '12/30')
  type('card-cvv', cvv)
}

function type(id, value) {
  const input = document.getElementById(id)
  // There is no address when nothing is shipped.
  if (input === null) return
  input.value = value
  input.dispatchEvent(new window.Event('input', { bubbles: true }))
}
