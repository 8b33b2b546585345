import type { Secret } from '@cofre/contracts'
import { stepOfCode } from './authenticator.js'
import { isStrongPassword } from './password.js'
import type { CredentialsProblem, NewCredentials, NewPasskey, Passkey } from './people.js'
import type { PasskeyRow } from './people-tables.js'
import { drawRecoveryCodes, hashRecoveryCode } from './recovery-code.js'
import type { Db, PeopleDeps, Unit } from './unit.js'

/** Credentials that were checked, and hashed where they are kept as a hash. */
export type CheckedCredentials =
  | { readonly passkey: NewPasskey }
  | { readonly password: string; readonly totp: Secret<string>; readonly step: number }

/** Before any unit of work: a hash takes long. */
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
 * Puts credentials in the place of those that a person had: sessions from before are over.
 * @returns whether they were taken: a passkey may be somebody's already
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

/** @returns false when somebody has it already */
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

/** Those from before are void. */
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
