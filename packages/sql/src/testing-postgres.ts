import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import process from 'node:process'
import pg from 'pg'

/** The variable with the port at which the tests' global set-up returns its server's URL. */
export const TEST_POSTGRES_STARTER = 'COFRE_TEST_POSTGRES_STARTER'

let url: Promise<string> | undefined

/** The URL of a real server, which starts when the first test asks. */
export function testPostgres(): Promise<string> {
  url ??= askForUrl()
  return url
}

async function askForUrl(): Promise<string> {
  const port = process.env[TEST_POSTGRES_STARTER]
  if (port === undefined)
    throw new Error(`${TEST_POSTGRES_STARTER} is not set: run the tests with npm test`)
  const answer = await text(connect(Number(port), '127.0.0.1'))
  if (answer === '') throw new Error('the PostgreSQL server of the tests did not start')
  return answer
}

/** Runs statements on its own connection. Returns the rows of a single one. */
export async function queryPostgres(at: string, sql: string): Promise<readonly object[]> {
  const client = new pg.Client(at)
  await client.connect()
  try {
    return (await client.query<object>(sql)).rows
  } finally {
    await client.end()
  }
}
