// The shop's own settings in the console. There, rules that protect the operator become stricter,
// never looser: for the rest there is `cofre store set`.
import { createHash } from 'node:crypto'
import {
  DECLINE_LIMIT_MAX,
  type Environment,
  holdsCardNumber,
  isNotificationAddress,
  isPlainText,
} from '@cofre/contracts'
import { type MerchantSettings, declineLimitsOf } from '@cofre/gateway/room'

const NAME_LENGTH_MAX = 100

/** True for a valid store name, which payers see. */
export function isStoreName(text: string): boolean {
  const isNamed = text.length <= NAME_LENGTH_MAX && text.trim() !== ''
  return isNamed && isPlainText(text) && !holdsCardNumber(text)
}

type ChosenSetting =
  | 'name'
  | 'signature'
  | 'surplus'
  | 'uncaptured'
  | 'language'
  | 'notificationUrl'

/** The values of one form; undefined limits stay. */
export interface WantedSettings
  extends
    Pick<MerchantSettings, ChosenSetting>,
    Readonly<Record<LimitSetting, number | undefined>> {
  /** The {@link settingsMark} of the settings that the form showed. */
  readonly mark: string
}

export const LIMIT_SETTINGS = ['payerDeclines', 'addressDeclines', 'binDeclines'] as const
export type LimitSetting = (typeof LIMIT_SETTINGS)[number]

/** The problems of the sent values, by setting. */
export type SettingProblems = Readonly<
  Partial<Record<'name' | 'signature' | 'notificationUrl' | LimitSetting, 'malformed' | 'looser'>>
>

type ShopSettings = Pick<MerchantSettings, ChosenSetting | LimitSetting>

/** The policy for decisions on settings. */
export interface SettingPolicy {
  readonly environment: Environment
  readonly acceptsNotificationUrl: (url: string) => boolean
}

/** A mark that reveals another person's change of the settings meanwhile. */
export function settingsMark(settings: ShopSettings): string {
  const { name, signature, surplus, uncaptured, language, notificationUrl } = settings
  const limits = LIMIT_SETTINGS.map((limit) => settings[limit])
  return markOf([name, signature, surplus, uncaptured, language, notificationUrl, ...limits])
}

/** Like {@link settingsMark}, for the interest on installments. */
export function interestMark({ interest = [] }: Pick<MerchantSettings, 'interest'>): string {
  return markOf(interest)
}

function markOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url')
}

type LimitSettings = Pick<MerchantSettings, LimitSetting>

/** The effective limits: undefined without one. */
export function limitsOf(
  settings: LimitSettings,
  environment: Environment,
): Readonly<Record<LimitSetting, number | undefined>> {
  const limits = declineLimitsOf(settings, environment)
  return {
    payerDeclines: limits.payer,
    addressDeclines: limits.address,
    binDeclines: limits.bin,
  }
}

/** The store's changed settings, or everything that forbids the change. */
export function shopChange(
  before: MerchantSettings,
  { mark, ...wanted }: WantedSettings,
  policy: SettingPolicy,
): Partial<MerchantSettings> | { readonly refused: SettingProblems | 'meanwhile' } {
  if (mark !== settingsMark(before)) return { refused: 'meanwhile' }
  const { name, signature, surplus, uncaptured, language, notificationUrl, ...limits } = wanted
  const current = limitsOf(before, policy.environment)
  const problems: SettingProblems = {
    ...(!isStoreName(name) && { name: 'malformed' }),
    ...(before.signature !== undefined && signature === undefined && { signature: 'looser' }),
    ...(notificationUrl !== undefined &&
      notificationUrl !== before.notificationUrl &&
      !isNotificationAddress(notificationUrl, policy) && { notificationUrl: 'malformed' }),
    ...Object.fromEntries(
      LIMIT_SETTINGS.flatMap((limit) => {
        const problem = limitProblem(limits[limit], current[limit])
        return problem === undefined ? [] : [[limit, problem] as const]
      }),
    ),
  }
  if (Object.keys(problems).length > 0) return { refused: problems }
  const lowered = LIMIT_SETTINGS.flatMap((limit) => {
    const to = limits[limit]
    return to === undefined || to === current[limit] ? [] : [[limit, to] as const]
  })
  const chosen = { name, signature, surplus, uncaptured, language, notificationUrl }
  return { ...chosen, ...Object.fromEntries(lowered) }
}

function limitProblem(
  to: number | undefined,
  current: number | undefined = Infinity,
): 'malformed' | 'looser' | undefined {
  if (to === undefined) return undefined
  if (!Number.isInteger(to) || to < 1 || to > DECLINE_LIMIT_MAX) return 'malformed'
  return to > current ? 'looser' : undefined
}
