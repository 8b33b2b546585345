// The checkout's own script: the form sends the token, and nothing of the card.
const byId = (id) => document.getElementById(id)
const fields = new window.Cofre.CardFields(byId('card'), { store: 'loja-um' })
let isPaying = false

function pay() {
  // Enter in a field comes past a disabled button.
  if (isPaying) return
  isPaying = true
  fields.getDirectToken((err, directToken) => {
    if (err === null) {
      // On the shop's server it becomes charge[].payment-info.token.
      byId('token').value = directToken
      byId('checkout').submit()
      return
    }
    isPaying = false
    byId('problem').textContent = err
  })
}

byId('pay').addEventListener('click', pay)
fields.on('submit', pay)
