// Draws the secrets of compose.yaml into deploy/secrets/, a file for each, so that each container
// gets only its own. Never overwrites one: without the vault's keys no saved card can be opened,
// without the gateway's no store can sign. Secrets in files of an earlier version (vault.env and
// the like) are reused.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { URL, fileURLToPath } from 'node:url'

const FOLDER = new URL('secrets/', import.meta.url)
/** The image's user; compose.yaml runs Cofre as it unless COFRE_UID is set. */
const CONTAINER_USER = 1000

const draw = () => randomBytes(32).toString('base64url')

/** The value of a variable in a file of an earlier version. */
function earlier(file, variable) {
  const place = new URL(file, FOLDER)
  if (!existsSync(place)) return undefined
  const lines = readFileSync(place, 'utf8').split('\n')
  return lines.find((line) => line.startsWith(`${variable}=`))?.slice(variable.length + 1)
}

function secretsOf(zone) {
  const password = earlier(`${zone}-database.env`, 'POSTGRES_PASSWORD') ?? draw()
  const variable = zone === 'vault' ? 'COFRE_VAULT_DATABASE_URL' : 'COFRE_DATABASE_URL'
  return {
    [`${zone}-database-password`]: password,
    [`${zone}-database-url`]:
      earlier(`${zone}.env`, variable) ?? `postgres://cofre:${password}@${zone}-database/cofre`,
  }
}

const files = {
  'vault-keys': earlier('vault.env', 'COFRE_VAULT_KEYS') ?? `k1:${draw()}`,
  'gateway-key': earlier('gateway.env', 'COFRE_GATEWAY_KEY') ?? `g1:${draw()}`,
  'vault-service-key': earlier('vault.env', 'COFRE_VAULT_SERVICE_KEY') ?? `s1:${draw()}`,
  ...secretsOf('vault'),
  ...secretsOf('gateway'),
}

mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
const user = process.getuid?.()
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, FOLDER)
  writeFileSync(file, `${text}\n`, { flag: 'wx', mode: 0o600 })
  if (user === 0) chownSync(file, CONTAINER_USER, CONTAINER_USER)
}
console.log(
  `Written to ${fileURLToPath(FOLDER)}. Keep copies of vault-keys and gateway-key elsewhere: they are the keys.`,
)
if (user !== undefined && user !== 0 && user !== CONTAINER_USER)
  console.log(
    `They are for you alone: write COFRE_UID=${user} and COFRE_GID=${process.getgid()} into deploy/.env.`,
  )
