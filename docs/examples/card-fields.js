// The checkout's own script: the form sends the token, and nothing of the card.
const NO_CARDS =
  'Card payments are not available right now. Reload the page to try again, or choose another way to pay.'
const NOT_SENT =
  'The card could not be sent. Nothing was charged. Please try again, or choose another way to pay.'
const byId = (id) => document.getElementById(id)
let fields
let isPaying = false

function pay() {
  // Enter in a field comes past a disabled button.
  if (isPaying) return
  isPaying = true
  byId('problem').textContent = ''
  fields.getDirectToken((err, directToken) => {
    if (err === null) {
      // On the shop's server it becomes charge[].payment-info.token.
      byId('token').value = directToken
      byId('checkout').submit()
      return
    }
    isPaying = false
    // The frame explains errors of the card beside its inputs.
    byId('problem').textContent = err === 'creditcard_invalid_fields' ? '' : NOT_SENT
  })
}

function begin() {
  if (fields || !window.Cofre) return
  fields = new window.Cofre.CardFields(byId('card'), { store: 'loja-um' })
  fields.on('submit', pay)
  byId('pay').addEventListener('click', pay)
  byId('pay').disabled = false
  byId('problem').textContent = ''
}

function sayNoCards() {
  if (!fields) byId('problem').textContent = NO_CARDS
}

// The vault's script is async: a vault that is slow or away holds up neither the page nor this.
begin()
byId('vault').addEventListener('load', begin)
byId('vault').addEventListener('error', sayNoCards)
window.setTimeout(sayNoCards, 5000)
// For the shopper who comes back through the browser's history: the page is as it was left.
window.addEventListener('pageshow', () => {
  isPaying = false
})
