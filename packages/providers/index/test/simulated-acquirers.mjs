// Simulates Adyen and Cielo in a separate process, until it is killed. Sends their addresses and
// accounts.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import process from 'node:process'
import { startAdyen } from '../../adyen/dist/simulator/start-adyen.js'
import { startCielo } from '../../cielo/dist/simulator/start-cielo.js'

const [folder, merchantAccount] = process.argv.slice(2)
const deps = { clock: { now: Date.now }, randomBytes }
const adyen = await startAdyen({ ...deps, folder: path.join(folder, 'adyen') })
const cielo = await startCielo({ ...deps, folder: path.join(folder, 'cielo') })
const { apiKey } = await adyen.openAccount({ merchantAccount })
const { merchantId, merchantKey } = await cielo.openAccount({ label: 'loja' })
process.send({
  adyen: { port: adyen.apiPort, ca: adyen.authority, headers: { 'X-API-Key': apiKey.reveal() } },
  cielo: {
    port: cielo.apiPort,
    queryPort: cielo.queryPort,
    ca: cielo.authority,
    headers: { MerchantId: merchantId, MerchantKey: merchantKey.reveal() },
  },
})
