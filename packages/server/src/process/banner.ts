import path from 'node:path'
import type { Config } from '../config/config.js'
import { commandLine } from '../installation/command-line.js'
import { libraryAddress, readLibrary, scriptTag } from '../installation/library.js'
import { devStore } from '../installation/test-store.js'
import type { OwnerLink } from './panel.js'

/** Results of `npm start`, beside its configuration. */
export interface Started {
  /** For the test store's owner; undefined if one has signed up. */
  readonly ownerLink: OwnerLink | undefined
  /** True if the sandbox has example payments, or is getting them. */
  readonly hasExamples: boolean
}

/** The output of `npm start`: addresses, ways to sign in, and suggestions. */
export function banner(config: Config, started: Started): string {
  const { endpoints, dataDir } = config
  const { id, secret } = devStore(config)
  const tag = scriptTag(libraryAddress(readLibrary(config.vendor), endpoints.vault.publicUrl))
  const examples = `Example payments are in the sandbox; this removes them: ${commandLine('sandbox reset', config)}`
  return `
Cofre is running. No money moves: simulated providers. Data in ${dataDir}
${trialText(config)}
${addresses(config, id)}

${signInLine(config, started.ownerLink)}

The store's credentials, for both APIs; copy the line into another terminal
  export COFRE_API=${endpoints.sandbox.publicUrl} COFRE_STORE_ID=${id} COFRE_SECRET=${secret.reveal()}

Tag for the shop's page (docs/browser-library.md)
  ${tag.join('\n  ')}

To try: buy in the demo shop, and refund it in the console; then docs/quick-start.md
${started.hasExamples ? `${examples}\n` : ''}Log: ${path.join(dataDir, 'cofre.log')}. Press Ctrl-C to stop.
`
}

/** Access to a trial for its visitors, and warnings for its operator. */
function trialText({ trial, lacksPanelUrl }: Config): string {
  if (trial === undefined) return ''
  const { certificate, isDrawn, password } = trial
  const secret = isDrawn ? `  ${password.reveal()}   (shown this once)` : '  the one of the file'
  const clear =
    certificate === undefined
      ? 'Without --certificate all of it travels in the clear, and browsers on other machines encrypt no card:\npay by PIX or boleto there, in the production demo shop. '
      : ''
  const console = lacksPanelUrl
    ? 'The console shows the sandbox alone: production wants --certificate and a host with a name.\n'
    : ''
  return `
A trial for others to see. Its pages ask for this password
${secret}
${clear}${console}Its databases are marked as a trial's, for good: cofre serve never takes them.
`
}

function addresses({ endpoints }: Config, storeId: string): string {
  const { api, sandbox, vault, panel, demo, 'pix-api': bank, adyen, cielo, inter } = endpoints
  const rows = [
    ['Console', panel, 'find payments, refund, see sales figures'],
    ['Demo shop', demo, `buy here; test cards: ${panel.publicUrl}/sandbox/${storeId}/test-data`],
    ['in production', endpoints['demo-production'], 'the same shop, paid at simulated providers:'],
    ['Simulated bank', bank, `PIX      Inter  ${inter.publicUrl}  boletos`],
    ['Simulated Adyen', adyen, `cards    Cielo  ${cielo.publicUrl}  Elo`],
    ['Sandbox API', sandbox, 'reference with requests to try: /docs'],
    ['Production API', api, ''],
    ['Vault', vault, 'the browser library and the card fields'],
  ] as const
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  const addressWidth = Math.max(...rows.map(([, { publicUrl }]) => publicUrl.length))
  return rows
    .map(([name, { publicUrl }, what]) =>
      `  ${name.padEnd(nameWidth)}  ${publicUrl.padEnd(addressWidth)}  ${what}`.trimEnd(),
    )
    .join('\n')
}

/** The owner's way into the console. */
function signInLine(config: Config, link: OwnerLink | undefined): string {
  const { publicUrl } = config.endpoints.panel
  const another = commandLine('open', config)
  if (link?.kind === 'signs-in')
    return `Sign in to the console by this link (once; for another one: ${another})\n  ${link.url}`
  if (link !== undefined)
    return `Become the console's owner by this link (once, for a day)\n  ${link.url}`
  return config.panelEnvironments.includes('production')
    ? `Sign in to the console as its owner\n  ${publicUrl}/sign-in`
    : `Sign in to the console with the store's credentials\n  ${publicUrl}/sign-in/sandbox`
}
