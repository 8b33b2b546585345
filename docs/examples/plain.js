// The checkout of plain.html: the card becomes a token in the page, and the form sends the token.
const byId = (id) => document.getElementById(id)
const FIELDS = ['number', 'cvv', 'month', 'year']
const TRY_AGAIN = 'The payment service cannot be reached. Please try again.'
const NO_CARDS =
  'Card payments are not available right now. Reload the page to try again, or choose another way to pay.'

let paymentMethod

const typedCard = () => ({
  creditCard: byId('number').value,
  cvv: byId('cvv').value,
  expiration: { month: byId('month').value, year: byId('year').value },
})

function show(problem, wrongFields) {
  byId('problem').textContent = problem
  letPay()
  for (const field of FIELDS) byId(field).setAttribute('aria-invalid', wrongFields.includes(field))
}

byId('number').addEventListener('input', () => {
  byId('brand').textContent = paymentMethod?.brandOf(byId('number').value) ?? ''
})

byId('checkout').addEventListener('submit', (event) => {
  event.preventDefault()
  byId('pay').disabled = true
  const card = typedCard()
  paymentMethod.getDirectToken(card, (err, directToken) => {
    if (err === 'creditcard_invalid_fields') {
      show('Please check the card.', paymentMethod.validate(card))
    } else if (err !== null) {
      show(TRY_AGAIN, [])
    } else {
      byId('token').value = directToken
      event.target.submit()
    }
  })
})

function letPay() {
  byId('pay').disabled = paymentMethod === undefined
}

function begin() {
  if (paymentMethod || !window.Cofre) return
  // Opens a session with the vault at once.
  paymentMethod = new window.Cofre.PaymentMethod()
  show('', [])
}

function sayNoCards() {
  if (!paymentMethod) byId('problem').textContent = NO_CARDS
}

// The vault's script is async: a vault that is slow or away holds up neither the page nor this.
begin()
byId('vault').addEventListener('load', begin)
byId('vault').addEventListener('error', sayNoCards)
window.setTimeout(sayNoCards, 5000)
// For the shopper who comes back through the browser's history: the page is shown as it was left.
window.addEventListener('pageshow', letPay)
