import {
  DECLINE_LIMIT_MAX,
  URL_LENGTH_MAX,
  USUAL_LANGUAGE,
  transactionLanguageSchema,
} from '@cofre/contracts'
import type { Merchant, StoreChange } from '@cofre/gateway/room'
import {
  LIMIT_SETTINGS,
  type LimitSetting,
  type SettingProblems,
  type WantedSettings,
  settingsMark,
} from '../../model/shop-settings.js'
import { fill } from '@cofre/pages'
import type { ActDetail } from '@cofre/panel/page'
import {
  type ActionRule,
  type ConsolePages,
  type ActionResult,
  done,
  refused,
  changeDetail,
  PostForm,
  type Form,
  type View,
  useView,
  useTexts,
  formatCount,
  formatLanguage,
} from '@cofre/panel/page'
import { Field, Problems } from './setting-field.js'
import { authorOf } from './setting-author.js'
import { type ShownLimits, limitText } from './store-facts.js'
import { type StoreDesk, type StoreParts, deskAt } from './parts.js'
import { STORE_TEXTS } from './texts.js'

/** Only owners change these, after a proof of identity. */
export const STORE_CHANGE = {
  needs: 'store:change',
  act: 'store:change',
  stepUp: true,
} as const satisfies ActionRule

const NAME_LENGTH_MAX = 100
const SIGNATURES = ['any', 'rfc9421'] as const
const LIMIT_LENGTH_MAX = 6
const PAYER_LANGUAGES = transactionLanguageSchema.options

/** The form of a shop's own settings. */
export function settingPages({ page, action }: ConsolePages, parts: StoreParts): void {
  page('/store/settings', { needs: 'store:change' }, async (visit) => {
    const desk = deskAt(parts, visit)
    const merchant = await desk.findMerchant(visit.storeId)
    if (merchant === undefined) return undefined
    return {
      ...shownForm(desk, visit.view, { merchant, typed: typedOf(merchant, desk), problems: {} }),
      still: true,
    }
  })

  action('/store/settings', STORE_CHANGE, async (visit, form) => {
    const { storeId, view } = visit
    const desk = deskAt(parts, visit)
    const typed = readTyped(form)
    const author = authorOf(parts, visit)
    const to = { to: view.at('/store') }
    const before = await desk.findMerchant(storeId)
    if (before === undefined) return refused('gone', to)
    const wanted = wantedOf(typed, { form, shown: typedOf(before, desk) })
    const result = await desk.changeSettings(storeId, wanted, author)
    if ('changed' in result) return changedOutcome(result.changed, to, desk)
    if (result.refused === 'not-allowed') return refused('not-allowed', to)
    if (result.refused === 'meanwhile')
      return refused('store-changed-meanwhile', { to: view.at('/store/settings') })
    const merchant = await desk.findMerchant(storeId)
    if (result.refused === 'no-store' || merchant === undefined) return refused('gone', to)
    const detail = { why: 'rule', settings: Object.keys(result.refused).join(' ') }
    return { again: shownForm(desk, view, { merchant, typed, problems: result.refused }), detail }
  })
}

function changedOutcome(
  changed: StoreChange['settings'],
  to: { readonly to: string },
  desk: StoreDesk,
): ActionResult {
  if (Object.keys(changed).length === 0) return refused('store-unchanged', to)
  return done('store-changed', { ...to, detail: detailOf(changed, desk) })
}

/** The old and new value of each setting: none is personal or secret. */
function detailOf(changed: StoreChange['settings'], desk: StoreDesk): ActDetail {
  const unsetTexts = unsetAt(desk)
  const details = Object.entries(changed).map(([name, { from, to }]) => {
    const unset = unsetTexts[name] ?? '–'
    return changeDetail(name, String(from ?? unset), String(to ?? unset))
  })
  return Object.assign({}, ...details) as ActDetail
}

/** The commands' text for an unset setting, with the limit that then applies. */
function unsetAt(desk: StoreDesk): Readonly<Record<string, string>> {
  const usual = desk.declineLimits({})
  const limits = LIMIT_SETTINGS.map((name) => {
    const limit = usual[name]
    return [name, limit === undefined ? 'usual' : `usual (${limit})`] as const
  })
  return {
    signature: 'any',
    surplus: 'refund',
    uncaptured: 'void',
    language: USUAL_LANGUAGE,
    notificationUrl: 'none',
    ...Object.fromEntries(limits),
  }
}

type ChosenName = 'name' | 'surplus' | 'uncaptured' | 'signature' | 'language' | 'notificationUrl'
type TypedSettings = Readonly<Record<ChosenName | LimitSetting, string>>

function typedOf(merchant: Merchant, desk: StoreDesk): TypedSettings {
  const limits = desk.declineLimits(merchant)
  return {
    name: merchant.name,
    surplus: merchant.surplus ?? 'refund',
    uncaptured: merchant.uncaptured ?? 'void',
    signature: merchant.signature ?? 'any',
    language: merchant.language ?? USUAL_LANGUAGE,
    notificationUrl: merchant.notificationUrl ?? '',
    payerDeclines: String(limits.payerDeclines ?? ''),
    addressDeclines: String(limits.addressDeclines ?? ''),
    binDeclines: String(limits.binDeclines ?? ''),
  }
}

function readTyped(form: Form): TypedSettings {
  const text = (name: keyof TypedSettings): string => (form.get(name) ?? '').trim()
  return {
    name: text('name'),
    surplus: text('surplus'),
    uncaptured: text('uncaptured'),
    signature: text('signature'),
    language: text('language'),
    notificationUrl: text('notificationUrl'),
    payerDeclines: text('payerDeclines'),
    addressDeclines: text('addressDeclines'),
    binDeclines: text('binDeclines'),
  }
}

interface Sent {
  readonly form: Form
  readonly shown: TypedSettings
}

/** An unchanged limit stays the store's or the installation's. */
function wantedOf(typed: TypedSettings, { form, shown }: Sent): WantedSettings {
  const limit = (name: LimitSetting): number | undefined => {
    const text = typed[name]
    if (text === '' || text === shown[name]) return undefined
    return /^\d{1,6}$/.test(text) ? Number(text) : NaN
  }
  return {
    mark: form.get('mark') ?? '',
    name: typed.name,
    surplus: typed.surplus === 'keep' ? 'keep' : undefined,
    uncaptured: typed.uncaptured === 'capture' ? 'capture' : undefined,
    signature: typed.signature === 'rfc9421' ? 'rfc9421' : undefined,
    language: PAYER_LANGUAGES.find((one) => one === typed.language && one !== USUAL_LANGUAGE),
    notificationUrl: typed.notificationUrl === '' ? undefined : typed.notificationUrl,
    payerDeclines: limit('payerDeclines'),
    addressDeclines: limit('addressDeclines'),
    binDeclines: limit('binDeclines'),
  }
}

type Filled = Pick<SettingsFormProps, 'merchant' | 'typed' | 'problems'>

function shownForm(desk: StoreDesk, view: View, filled: Filled) {
  const { title } = STORE_TEXTS[view.language].store.settings
  const limits = desk.declineLimits(filled.merchant)
  const body = <SettingsForm limits={limits} {...filled} />
  return { title, heading: <h1>{title}</h1>, body }
}

interface SettingsFormProps {
  readonly merchant: Merchant
  readonly limits: ShownLimits
  readonly typed: TypedSettings
  readonly problems: SettingProblems
}

function SettingsForm({ merchant, limits, typed, problems }: SettingsFormProps) {
  const view = useView()
  const texts = STORE_TEXTS[view.language].store.settings
  const problemsByField = problemTexts(problems, limits, view)
  return (
    <>
      <PostForm action={view.at('/store/settings')} class="card">
        <input type="hidden" name="mark" value={settingsMark(merchant)} />
        <Problems intro={texts.problem} labels={texts} problems={problemsByField} />
        <p>{texts.text}</p>
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          problem={problemsByField.get('name')}
        >
          {(described) => (
            <input
              {...described}
              value={typed.name}
              required
              maxlength={NAME_LENGTH_MAX}
              autocomplete="off"
            />
          )}
        </Field>
        <Defaults typed={typed} problem={problemsByField.get('notificationUrl')} />
        <Choices merchant={merchant} typed={typed} problem={problemsByField.get('signature')} />
        <h2>{texts.limits}</h2>
        <p>{texts.limitsText}</p>
        {LIMIT_SETTINGS.map((name) => (
          <Field
            name={name}
            label={texts[name]}
            hint={fill(texts.limitHint, { limit: limitText(limits[name], view.language) })}
            problem={problemsByField.get(name)}
          >
            {(described) => (
              <input
                {...described}
                value={typed[name]}
                inputmode="numeric"
                maxlength={LIMIT_LENGTH_MAX}
                autocomplete="off"
              />
            )}
          </Field>
        ))}
        <button>{texts.submit}</button>
      </PostForm>
      <p>
        <a href={view.at('/store')}>{texts.back}</a>
      </p>
    </>
  )
}

interface DefaultsProps extends Pick<SettingsFormProps, 'typed'> {
  /** The address's problem. */
  readonly problem: string | undefined
}

/** The defaults of payment links and refunds. */
function Defaults({ typed, problem }: DefaultsProps) {
  const { language: shownIn } = useView()
  const texts = useTexts(STORE_TEXTS).store.settings
  return (
    <>
      <Choice
        name="language"
        typed={typed}
        options={PAYER_LANGUAGES.map((one) => [one, formatLanguage(one, shownIn)])}
      />
      <Field
        name="notificationUrl"
        label={texts.notificationUrl}
        hint={texts.notificationUrlHint}
        problem={problem}
      >
        {(described) => (
          <input
            {...described}
            type="url"
            value={typed.notificationUrl}
            maxlength={URL_LENGTH_MAX}
            autocomplete="off"
          />
        )}
      </Field>
    </>
  )
}

interface ChoicesProps extends Pick<SettingsFormProps, 'merchant' | 'typed'> {
  /** The signature's problem. */
  readonly problem: string | undefined
}

/**
 * The handling of surplus money and of uncaptured payments, and the signature, which can only
 * become stricter.
 */
function Choices({ merchant, typed, problem }: ChoicesProps) {
  const texts = useTexts(STORE_TEXTS).store.settings
  const signatures = SIGNATURES.filter(
    (one) => one === 'rfc9421' || merchant.signature === undefined,
  )
  return (
    <>
      <Choice name="surplus" typed={typed} options={Object.entries(texts.surpluses)} />
      <Choice name="uncaptured" typed={typed} options={Object.entries(texts.uncapturedIs)} />
      <Choice
        name="signature"
        typed={typed}
        options={signatures.map((one) => [one, texts.signatureForms[one]])}
        problem={problem}
      />
    </>
  )
}

interface ChoiceProps extends Pick<SettingsFormProps, 'typed'> {
  readonly name: 'language' | 'surplus' | 'uncaptured' | 'signature'
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly problem?: string | undefined
}

function Choice({ name, typed, options, problem }: ChoiceProps) {
  const texts = useTexts(STORE_TEXTS).store.settings
  return (
    <Field name={name} label={texts[name]} hint={texts[`${name}Hint`]} problem={problem}>
      {(described) => (
        <select {...described}>
          {options.map(([value, text]) => (
            <option value={value} selected={value === typed[name]}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type SettingName = keyof SettingProblems

function problemTexts(
  problems: SettingProblems,
  limits: ShownLimits,
  view: ReturnType<typeof useView>,
): ReadonlyMap<SettingName, string> {
  const texts = STORE_TEXTS[view.language].store.settings.problems
  const ofLimit = (name: LimitSetting): string =>
    problems[name] === 'looser'
      ? fill(texts.limitLooser, { limit: limitText(limits[name], view.language) })
      : fill(texts.limitMalformed, { most: formatCount(DECLINE_LIMIT_MAX, view.language) })
  return new Map<SettingName, string>([
    ...(problems.name === undefined ? [] : [['name', texts.name] as const]),
    ...(problems.notificationUrl === undefined
      ? []
      : [['notificationUrl', texts.notificationUrl] as const]),
    ...(problems.signature === undefined ? [] : [['signature', texts.signature] as const]),
    ...LIMIT_SETTINGS.filter((name) => problems[name] !== undefined).map(
      (name) => [name, ofLimit(name)] as const,
    ),
  ])
}
