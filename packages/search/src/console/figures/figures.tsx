import { Notice } from '@cofre/pages'
import {
  CsvLinks,
  type AccountNames,
  type ChosenPeriod,
  PeriodForm,
  useTexts,
} from '@cofre/panel/page'
import { Approvals, Declines } from './card-figures.js'
import { Notifications } from './notification-figures.js'
import { Authorized, Conversions, Returned, Volume } from './sales-figures.js'
import type { Compared } from './subject.js'
import { FIGURES_TEXTS } from './texts.js'

/** The state of a store's example payments: none, counted or left out. */
export type ShownExamples = 'none' | 'counted' | 'left-out'

interface FiguresProps extends Compared {
  readonly period: ChosenPeriod
  readonly examples: ShownExamples
  readonly accounts: AccountNames
}

export function Figures({ period, now, before, examples, accounts }: FiguresProps) {
  const texts = useTexts(FIGURES_TEXTS).figures
  const isEmpty = [
    now.volume,
    now.authorized,
    now.conversions,
    now.returned,
    now.notifications,
  ].every((part) => part.length === 0)
  return (
    <>
      <PeriodForm
        period={period}
        path="/figures"
        shown={texts.shown}
        {...(examples === 'left-out' && { kept: { examples: 'without' } })}
      >
        {examples !== 'none' && (
          <label class="choice">
            <input
              type="checkbox"
              name="examples"
              value="without"
              checked={examples === 'left-out'}
            />
            {texts.withoutExamples}
          </label>
        )}
      </PeriodForm>
      {isEmpty ? (
        <Notice {...texts.empty} />
      ) : (
        <div class="stack">
          <Volume now={now} before={before} />
          <Authorized now={now} before={before} />
          <Approvals now={now} before={before} accounts={accounts} />
          <Declines now={now} before={before} />
          <Conversions now={now} before={before} />
          <Returned now={now} before={before} />
          <Notifications now={now} before={before} />
          <CsvLinks />
        </div>
      )}
    </>
  )
}
