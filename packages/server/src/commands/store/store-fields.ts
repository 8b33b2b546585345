import { FIELD_ORIGINS_MAX } from '@cofre/contracts'
import type { MerchantSettings, StoreChange } from '@cofre/gateway'
import { SetupError } from '../../config/errors.js'
import { agreeToLoss } from './agreed-loss.js'
import { type CommandContext, type InEnvironment, UsageError, operator } from '../line/command.js'
import { unknownStore, withStores } from './opened-stores.js'

/** Card-field options of a new store. */
export interface FieldOptions {
  readonly origin?: readonly string[]
}

/** Changes of the list of origins. */
export interface OriginOptions extends Pick<FieldOptions, 'origin'> {
  readonly addOrigin?: readonly string[]
  readonly removeOrigin?: readonly string[]
  readonly replace?: true
}

interface NamedOrigins extends OriginOptions, InEnvironment {
  readonly id: string
}

/** True if the options change origins. @throws UsageError if they contradict each other */
export function checkOrigins(options: OriginOptions): boolean {
  const { origin, addOrigin = [], removeOrigin = [], replace } = options
  const changesSome = addOrigin.length + removeOrigin.length > 0
  if (replace === true && (origin === undefined || changesSome))
    throw new UsageError('--replace is for --origin')
  if (origin !== undefined && changesSome)
    throw new UsageError('--origin stands without --add-origin and --remove-origin')
  const both = addOrigin.find((one) => removeOrigin.includes(one))
  if (both !== undefined) throw new UsageError(`${both} is both to add and to remove`)
  if (origin !== undefined) listedOrigins(origin)
  return origin !== undefined || changesSome
}

/**
 * Changes a store's settings and origins. Drops an origin only if it is named or the person agrees.
 * @throws UsageError without a terminal, and if the answer is no; SetupError
 */
export async function setFields(
  context: CommandContext,
  options: NamedOrigins,
  settings: Partial<MerchantSettings>,
): Promise<StoreChange['settings']> {
  const { id, environment } = options
  const agreed = new Set<string>()
  const decide = ({ fieldOrigins: before }: MerchantSettings) => {
    const fieldOrigins = originsAfter(before, options)
    const lost = lostOrigins(before, fieldOrigins, options).filter((one) => !agreed.has(one))
    return lost.length > 0 ? { refused: lost } : { ...settings, fieldOrigins }
  }
  for (;;) {
    const result = await withStores(context, options, ({ stores }) =>
      stores.decide(id, decide, operator()),
    )
    if (result === undefined) throw unknownStore(id, environment)
    if ('changed' in result) return result.changed
    await agreeToLoss(context, {
      sentence: `--origin would drop ${result.refused.join(', ')} from the origins of ${id} in ${environment}: card fields on those pages would stop working at once`,
      advice: '--add-origin keeps them',
    })
    for (const one of result.refused) agreed.add(one)
  }
}

/** Origins that the new list lacks, unless `--replace` was given. */
function lostOrigins(
  before: readonly string[],
  after: readonly string[],
  { origin, replace }: OriginOptions,
): readonly string[] {
  return origin === undefined || replace === true
    ? []
    : before.filter((one) => !after.includes(one))
}

/** @throws UsageError, and SetupError if one to remove is not in the list */
function originsAfter(
  before: readonly string[],
  { origin, addOrigin = [], removeOrigin = [], id, environment }: NamedOrigins,
): readonly string[] {
  if (origin !== undefined) return listedOrigins(origin)
  const unknown = removeOrigin.find((one) => !before.includes(one))
  if (unknown !== undefined)
    throw new SetupError(
      `${unknown} is no origin of ${id} in ${environment}`,
      before.length === 0 ? 'it has none' : `it has ${before.join(', ')}`,
    )
  return listedOrigins([...before.filter((one) => !removeOrigin.includes(one)), ...addOrigin])
}

/** Each origin once; `none` is an empty list. @throws UsageError */
export function listedOrigins(named: readonly string[]): readonly string[] {
  const isNone = named.includes('none')
  if (isNone && named.length > 1) throw new UsageError('--origin none stands alone')
  const origins = isNone ? [] : [...new Set(named)]
  if (origins.length > FIELD_ORIGINS_MAX)
    throw new UsageError(`A store has at most ${FIELD_ORIGINS_MAX} origins`)
  return origins
}

/** A line on the card fields of a store; empty if it has none. */
export function fieldsText(shown: {
  readonly id: string
  readonly fieldOrigins: readonly string[]
  readonly showsBin: boolean
  readonly isAtVault: boolean
}): string {
  const { id, fieldOrigins, showsBin, isAtVault } = shown
  if (fieldOrigins.length === 0 && !showsBin && isAtVault) return ''
  const remarks = [
    ...(fieldOrigins.length === 0 ? ['no page may show them'] : fieldOrigins),
    ...(showsBin ? ['(with the BIN)'] : []),
    ...(isAtVault ? [] : ['(not at the vault yet)']),
  ]
  return `Card fields of ${id}: ${remarks.join(' ')}\n`
}
