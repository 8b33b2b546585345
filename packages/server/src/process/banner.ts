import path from 'node:path'
import { TEST_CARDS } from '@cofre/sandbox'
import type { Config } from '../config/config.js'
import { libraryAddress, readLibrary, scriptName, scriptTag } from '../installation/library.js'
import { devStore } from '../installation/test-store.js'

/**
 * What `npm start` prints: where things are, and what to try.
 * @param ownerLink - Makes the test store's first owner; undefined once it has one.
 */
export function banner(config: Config, ownerLink?: string): string {
  const { api, sandbox, vault, panel, demo, simulator, adyen, cielo, inter } = config.endpoints
  const production = config.endpoints['demo-production']
  const store = devStore(config)
  const cards = TEST_CARDS.map(
    ({ number, brand, meaning }) => `  ${number.padEnd(17)}${brand.padEnd(12)}${meaning.en}`,
  )
  const fields = `${vault.publicUrl}/fields.${config.vendor}.min.js`
  const tag = scriptTag(libraryAddress(readLibrary(config.vendor), vault.publicUrl))
  return `
Cofre is running. Data in ${config.dataDir}; no money moves: simulated providers.

  Demo shop        ${demo.publicUrl}      <- buy something here; its checkout switches between own inputs and card fields
  Console          ${panel.publicUrl}      <- ${ownerLink === undefined ? 'find, refund, see: sign in as its owner' : 'find, refund, see: become its owner by the link below'}
  its sandbox      ${panel.publicUrl}/sign-in/sandbox      <- or sign in with the test store's credentials
  Sandbox API      ${sandbox.publicUrl}
  API reference    ${sandbox.publicUrl}/docs      <- try requests here
  Production API   ${api.publicUrl}
  its demo shop    ${production.publicUrl}      <- buy here by card, PIX or boleto
  Simulated bank   ${simulator.publicUrl}      <- pay that PIX here, in time, late or another amount
  Simulated Inter  ${inter.publicUrl}      <- the same of a boleto: issue it, pay it by line or by PIX
  Simulated Adyen  ${adyen.publicUrl}      <- what its cards were charged; disputes
  Simulated Cielo  ${cielo.publicUrl}      <- the same of Elo and Hipercard
  Vault, library   ${vault.publicUrl}/${scriptName(config.vendor)}

Tag for the shop's page (docs/browser-library.md), and what its Content-Security-Policy must allow
  ${tag.join('\n  ')}
  script-src ${vault.publicUrl}; connect-src ${vault.publicUrl}
Or, so that the page sees no digit (docs/card-forms.md): ${fields}, with
  script-src ${vault.publicUrl}; frame-src ${vault.publicUrl}
Or no page at all: make a payment link in the console (Payment links), and open its address.

${ownerLink === undefined ? '' : `The console's first owner (works once, for a day)\n  ${ownerLink}\n\n`}Test store (signs requests to both APIs)
  Store id         ${store.id}
  Secret key       ${store.secret.reveal()}
For the examples in another terminal
  export COFRE_API=${sandbox.publicUrl} COFRE_STORE_ID=${store.id} COFRE_SECRET=${store.secret.reveal()}

The console plays the sandbox's bank. In production a PIX goes to the simulated bank, a boleto to the simulated
Inter, and a card to the simulated Adyen or Cielo, over HTTPS as to real ones; wallets are played by the sandbox.

Test cards of the sandbox (any expiry ahead, any CVV; any other valid card is approved). In production Adyen goes by
the name on the card, Cielo by its last digit (docs/cards-with-your-acquirer.md).
${cards.join('\n')}

Test payer: CPF 52998224725. Log: ${path.join(config.dataDir, 'cofre.log')}
Press Ctrl-C to stop.
`
}
