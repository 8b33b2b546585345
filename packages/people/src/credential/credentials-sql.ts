import type { Secret } from '@cofre/contracts'
import { stepOfCode } from '../model/authenticator.js'
import { isStrongPassword } from '../model/password.js'
import type { CredentialsProblem, NewCredentials, NewPasskey, Passkey } from '../model/people.js'
import type { PasskeyRow } from '../model/people-tables.js'
import { drawRecoveryCodes, hashRecoveryCode } from '../model/recovery-code.js'
import type { Db, PeopleDeps, Unit } from '../model/unit.js'

/** Checked credentials, hashed if only their hash is stored. */
export type CheckedCredentials =
  | { readonly passkey: NewPasskey }
  | { readonly password: string; readonly totp: Secret<string>; readonly step: number }

/** Runs before any unit of work, because a hash takes long. */
export async function checkCredentials(
  { passwords, clock }: PeopleDeps,
  credentials: NewCredentials,
  email: string,
): Promise<CheckedCredentials | CredentialsProblem> {
  if ('passkey' in credentials) return credentials
  const { password, totp, code } = credentials
  if (!isStrongPassword(password, email)) return 'weak-password'
  const step = stepOfCode(totp, code, clock.now())
  if (step === undefined) return 'wrong-code'
  return { password: await passwords.hash(password), totp, step }
}

/**
 * Replaces a person's credentials, which ends earlier sessions.
 * @returns false if the passkey belongs to another person
 */
export async function replaceCredentials(
  unit: Unit,
  personId: string,
  credentials: CheckedCredentials,
): Promise<boolean> {
  const { trx, sealing, nowMs } = unit
  await trx.deleteFrom('passkeys').where('person_id', '=', personId).execute()
  const isPasskey = 'passkey' in credentials
  await trx
    .updateTable('people')
    .set({
      password: isPasskey ? null : credentials.password,
      totp: isPasskey ? null : sealing.wrap(personId, credentials.totp),
      totp_step: isPasskey ? null : credentials.step,
      credentials_at: nowMs,
    })
    .where('id', '=', personId)
    .execute()
  return !isPasskey || (await insertPasskey(unit, personId, credentials.passkey))
}

/** @returns false if the passkey is already registered */
export async function insertPasskey(
  { trx, nowMs }: Unit,
  personId: string,
  passkey: NewPasskey,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      person_id: personId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      label: passkey.label,
      backed_up: passkey.backedUp ? 1 : 0,
      created_at: nowMs,
      used_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

export function passkeyOf(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    personId: row.person_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as readonly string[],
    label: row.label,
    backedUp: row.backed_up === 1,
    createdAtMs: row.created_at,
    usedAtMs: row.used_at ?? undefined,
  }
}

/** Draws new codes; earlier ones are void. */
export async function replaceRecoveryCodes(
  trx: Db,
  personId: string,
): Promise<readonly Secret<string>[]> {
  const codes = drawRecoveryCodes()
  await trx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute()
  await trx
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({
        person_id: personId,
        code_hash: hashRecoveryCode(personId, code),
        used_at: null,
      })),
    )
    .execute()
  return codes
}
