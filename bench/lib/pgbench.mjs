// The database alone: `pgbench`, where it is installed, runs the statements of a recorded payment
// over and over, each time with other codes, references, tokens and payers.
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'

const PAYMENTS_PER_CLIENT = 100_000
const SEEDED_PER_CLIENT = 4000
const PAYMENTS_PER_ROUND = 10_000_000
/** Longer texts, and bytes, need not differ from payment to payment: no index has them. */
const UNIQUE_CHARACTERS_MAX = 64
const TOKEN = 'insert into "authorizations"'

const firstOf = (round) => (round + 1) * PAYMENTS_PER_ROUND

/** Whether this machine has it. */
export function hasPgbench() {
  return spawnSync('pgbench', ['--version']).status === 0
}

/**
 * Payments a second of so many clients on a database where `recorded` were made.
 * @param load.recorded - At least two payments with the same statements.
 * @param load.group - So many payments of a client share each commit.
 * @param load.round - Another number each time: payments are not made twice.
 */
export async function pgbenchRate({ url, folder, recorded, round, clients, group, seconds }) {
  const [payment, other] = recorded
  const texts = new Map()
  const flights = []
  for (const [i, statement] of payment.filter(({ sql }) => sql).entries()) {
    const beside = other.filter(({ sql }) => sql)[i]
    if (statement.isRoundTrip) flights.push([])
    flights.at(-1).push(toRun({ statement, beside, i }, texts))
  }
  const script = path.join(folder, 'payment.pgbench')
  const prepared = flights.flat().filter(({ prepare }) => prepare)
  writeFileSync(
    script,
    [
      `\\set cofre_i :cofre_i + ${group}`,
      ...Array.from(
        { length: group },
        (_, member) =>
          `\\set cofre_n${member} ${firstOf(round)} + :client_id * ${PAYMENTS_PER_CLIENT} + :cofre_i - ${member}`,
      ),
      `\\if :cofre_i = ${group}`,
      ...prepared.map(({ prepare }) => `${prepare};`),
      '\\endif',
      ...flights.map((flight) => `${ofGroup(flight, group).join('\\; ')};`),
    ].join('\n'),
  )
  await seedTokens(url, { clients, round, digest: tokenOf(payment, texts) })
  const args = ['-n', '-M', 'simple', '-f', script, '-D', 'cofre_i=0', '-c', clients, '-T', seconds]
  const output = execFileSync('pgbench', [...args.map(String), url], { encoding: 'utf8' })
  return Number(/tps = ([\d.]+)/.exec(output)[1]) * group
}

/** What begins and ends a unit of work once, all else for each payment. */
function ofGroup(flight, group) {
  const unit = flight.filter(({ prepare }) => prepare === undefined).map(({ run }) => run)
  const own = flight.filter(({ prepare }) => prepare).map(({ run }) => run)
  const members = Array.from({ length: group }, (_, member) =>
    own.map((run) => run.replaceAll(':cofre_n', `:cofre_n${member}`)),
  )
  return [...unit.slice(0, -1), ...members.flat(), ...unit.slice(-1)]
}

/** A statement with values is prepared once for each client, as the product does. */
function toRun({ statement: { sql, values, schema }, beside, i }, texts) {
  const inSchema = sql.replace(/\b(from|into|update|join) "(\w+)"/gi, `$1 ${schema}."$2"`)
  const oneLine = inSchema.replaceAll(/\s+/g, ' ').replaceAll(';', '\\;')
  if (values.length === 0) return { run: oneLine }
  const given = values.map((value, v) => literal(value, beside.values[v], texts))
  return {
    prepare: `prepare payment_${i} as ${oneLine}`,
    run: `execute payment_${i}(${given.join(', ')})`,
  }
}

/** `:cofre_n` is another number in each payment: pgbench puts it into the text. */
function literal(value, other, texts) {
  if (value === null || value === undefined) return 'null'
  if (value.bytes !== undefined) return `'\\x${value.bytes}'`
  if (typeof value === 'boolean') return String(value)
  const text = String(value)
  const isUnique = text !== String(other) && text.length <= UNIQUE_CHARACTERS_MAX
  if (isUnique && !isTime(text)) return `'${uniqueText(text, texts)}'`
  return `'${text.replaceAll("'", "''")}'`
}

function isTime(text) {
  return /^\d{13}$/.test(text)
}

/** The same for the same value, wherever a payment has it; digits stay digits. */
function uniqueText(text, texts) {
  if (!texts.has(text))
    texts.set(text, /^\d+$/.test(text) ? `9${texts.size}:cofre_n` : `t${texts.size}-:cofre_n`)
  return texts.get(text)
}

function tokenOf(payment, texts) {
  const { values } = payment.find(({ sql }) => sql?.startsWith(TOKEN))
  return texts.get(String(values.at(-1)))
}

/** What the payments spend. */
async function seedTokens(url, { clients, round, digest }) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into cofre_vault.direct_tokens (digest, sealed_card, expires_at_ms)
     select replace($1, ':cofre_n', ($5::int + c * $2::int + i)::text), repeat('x', 280),
       extract(epoch from now()) * 1000 + 900000
     from generate_series(0, $3::int - 1) c, generate_series(1, $4::int) i`,
    [digest, PAYMENTS_PER_CLIENT, clients, SEEDED_PER_CLIENT, firstOf(round)],
  )
  await client.query('vacuum analyze')
  await client.end()
}
