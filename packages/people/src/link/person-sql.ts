import { randomBytes } from 'node:crypto'
import type { Unit } from '../model/unit.js'

const PERSON_ID_CHARACTERS = 26
const PERSON_ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

function newPersonId(): string {
  const characters = [...randomBytes(PERSON_ID_CHARACTERS)].map(
    (byte) => PERSON_ID_ALPHABET[byte % PERSON_ID_ALPHABET.length],
  )
  return `per_${characters.join('')}`
}

/** A person without credentials. Undefined if the e-mail belongs to another person. */
export async function insertPerson(
  { trx, nowMs }: Pick<Unit, 'trx' | 'nowMs'>,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<string | undefined> {
  const id = newPersonId()
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('people')
    .values({
      id,
      email,
      email_proved_at: null,
      former_email: null,
      name,
      enabled: 1,
      password: null,
      totp: null,
      totp_step: null,
      credentials_at: nowMs,
      created_at: nowMs,
      disabled_at: null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) === 0 ? undefined : id
}
