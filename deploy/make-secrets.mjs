// Draws what compose.yaml needs into deploy/secrets/, a file for each container, so that none has another's secrets.
// Refuses to overwrite: without the vault's keys no saved card can be opened, without the gateway's no store can sign.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { URL, fileURLToPath } from 'node:url'

const FOLDER = new URL('secrets/', import.meta.url)
const draw = () => randomBytes(32).toString('base64url')

const serviceKey = `COFRE_VAULT_SERVICE_KEY=s1:${draw()}`
const passwords = { vault: draw(), gateway: draw() }
const url = (zone) => `postgres://cofre:${passwords[zone]}@${zone}-database/cofre`
const database = (zone) => [
  `POSTGRES_USER=cofre`,
  `POSTGRES_DB=cofre`,
  `POSTGRES_PASSWORD=${passwords[zone]}`,
]

const files = {
  'vault.env': [
    `COFRE_VAULT_KEYS=k1:${draw()}`,
    serviceKey,
    `COFRE_VAULT_DATABASE_URL=${url('vault')}`,
  ],
  'vault-database.env': database('vault'),
  'gateway.env': [
    `COFRE_GATEWAY_KEY=g1:${draw()}`,
    serviceKey,
    `COFRE_DATABASE_URL=${url('gateway')}`,
  ],
  'gateway-database.env': database('gateway'),
}

mkdirSync(FOLDER, { recursive: true })
for (const [name, lines] of Object.entries(files)) {
  writeFileSync(new URL(name, FOLDER), `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 })
}
console.log(
  `Written to ${fileURLToPath(FOLDER)}. Keep copies of vault.env and gateway.env elsewhere: they hold the keys.`,
)
