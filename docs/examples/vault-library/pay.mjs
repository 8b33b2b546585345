// A backend that keeps cards with the vault as a library: no HTTP, no other process.
//   node docs/examples/vault-library/pay.mjs [folder for the database and the keys]
// Without a folder they are in a temporary one, which goes with the program.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { Secret, minorUnits } from '@cofre/contracts'
import { createVault, loadKeyFile, openVaultDatabase } from '@cofre/vault'

const decided = (value) => Promise.resolve({ kind: 'done', value })

/** The way to a bank. This one plays it: whole reais are approved. */
const acquirer = {
  authorize({ key, card, amountMinor }) {
    const { number, month, year, cvv } = card.reveal()
    const { transactionCode } = key
    console.log(
      `bank: ${transactionCode} asks for ${amountMinor} centavos, card until ${month}/${year},`,
    )
    console.log(`bank: ${number.length} digits, ${cvv === undefined ? 'no CVV' : 'with its CVV'}`)
    const payment = { paymentId: `bank-${transactionCode}` }
    if (amountMinor % 100 === 0) return decided({ outcome: 'approved', payment, surplus: [] })
    const decline = {
      reason: 'insufficient_funds',
      retry: { kind: 'allowed', afterMs: 86_400_000 },
    }
    return decided({ outcome: 'declined', decline, payment })
  },
}

const kept = process.argv[2]
const folder = path.resolve(kept ?? mkdtempSync(path.join(tmpdir(), 'vault-library-')))
mkdirSync(folder, { recursive: true, mode: 0o700 })
const database = await openVaultDatabase(`sqlite:${path.join(folder, 'vault.db')}`)
const vault = createVault({
  database,
  keys: await loadKeyFile(path.join(folder, 'vault-keys')),
  played: { production: acquirer },
  clock: { now: () => Date.now() },
  log: { info() {}, warn: console.warn, error: console.error },
})

/** An order of 100 BRL by Maria, at one of our stores. */
const order = (transactionCode, changes) => ({
  environment: 'production',
  merchantId: 'store-1',
  transactionCode,
  payer: { name: 'Maria da Silva' },
  payerEmail: 'maria@example.com',
  amountMinor: minorUnits(10_000),
  installments: 1,
  saveCard: false,
  ...changes,
})

const card = new Secret({ number: '4111111111111111', cvv: '737', month: '12', year: '2030' })
const code = String(Date.now())
const first = await vault.authorize(order(code, { source: { kind: 'raw', card }, saveCard: true }))
if (first.kind === 'refused') throw new Error(`refused: ${first.reason}`)
console.log(`${first.outcome}: ${first.card.brand} ************${first.card.lastFour}`)

// Asked again, an order is answered as before; the bank is not asked.
const again = await vault.authorize(order(code, { source: { kind: 'raw', card }, saveCard: true }))
console.log(`again: ${again.kind === 'answered' ? again.outcome : again.reason}`)

if (first.savedCard !== undefined) {
  const source = { kind: 'code', code: first.savedCard.code }
  const second = await vault.authorize(order(`${code}1`, { source }))
  console.log(`by its code: ${second.kind === 'answered' ? second.outcome : second.reason}`)
  await vault.deleteSavedCard('production', 'store-1', first.savedCard.code)
}
await database.close()
if (kept === undefined) rmSync(folder, { recursive: true })
