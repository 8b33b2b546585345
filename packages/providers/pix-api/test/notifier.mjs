// Repeatedly opens a charge at a bank, has it paid and requests a refund, until it is killed.
// Prints the charge's txid once all of that was answered.
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { startPixBank } from '../dist/simulator/start-pix-bank.js'
import { putCharge } from '../dist/simulator/charges.js'
import { requestRefund } from '../dist/simulator/payments.js'

const [folder, round, receiver, body] = JSON.parse(process.argv[2])
const { bank, openAccount } = await startPixBank({ folder, clock: { now: Date.now }, randomBytes })
await openAccount(receiver)
const [account] = bank.book.accounts
for (let number = 0; ; number++) {
  const txid = `round${round}x${String(number).padStart(25, '0')}`
  putCharge(bank.book, account, { txid, body })
  const payment = bank.controls.pay(txid)
  requestRefund(bank.book, payment, { id: 'r1', body: { valor: '1.00' } })
  bank.controls.endRefund(payment.endToEndId, 'r1', 'DEVOLVIDO')
  process.send(txid)
  await setImmediate()
}
