import { EITHER_COLUMN } from '@cofre/contracts'
import { BANK_LIST } from '../model/settlement-formats.js'
import {
  SETTLEMENT_RESULTS,
  type SettlementFile,
  type SettlementRefusal,
} from '../model/settlement.js'
import { fill } from '@cofre/pages'
import { Days, FileState } from './overview.js'
import { sourceText, useFormats } from './source-text.js'
import { SETTLEMENT_TEXTS } from './texts.js'
import {
  type AccountNames,
  Facts,
  PostForm,
  Time,
  actorText,
  formatCount,
  useTexts,
  useView,
} from '@cofre/panel/page'

interface FilePageProps {
  readonly file: SettlementFile
  /** The uploader, if the store still knows the person. */
  readonly by: string | undefined
  readonly names: AccountNames
}

export function FilePage({ file, by, names }: FilePageProps) {
  const view = useView()
  const { at, language, may } = view
  const texts = SETTLEMENT_TEXTS[view.language].settlements
  const { id, actor, accountId, bytes, format, lines, refusal, results, state } = file
  const isBanks = format === BANK_LIST
  return (
    <>
      {refusal !== undefined && (
        <p class="flash bad" role="status">
          <Refusal refusal={refusal} format={format} />
        </p>
      )}
      <section class="card">
        <Facts
          facts={[
            [texts.file.state, <FileState file={file} />],
            [texts.file.format, sourceText(format, language, useFormats())],
            [texts.upload.account, accountId !== undefined && names.of(accountId)],
            [texts.file.days, <Days file={file} />],
            [texts.file.lines, formatCount(lines, language)],
            [texts.file.size, !isBanks && sizeText(bytes, language)],
            [texts.file.uploaded, <Time ms={file.uploadedAtMs} />],
            [
              texts.file.by,
              isBanks ? texts.file.byBank : actorText({ actor, actorName: by }, view),
            ],
          ]}
        />
      </section>
      {state === 'comparing' && (
        <p role="status">
          {texts.file.comparing} <a href={at(`/settlements/files/${id}`)}>{texts.file.reload}</a>
        </p>
      )}
      {Object.keys(results).length > 0 && <Results file={file} />}
      {may('settlements:upload') && <Acts file={file} />}
      <p>
        <a href={at('/settlements')}>{texts.back}</a>
      </p>
    </>
  )
}

const KIBIBYTE = 1024

function sizeText(bytes: number, language: string): string {
  if (bytes < KIBIBYTE)
    return new Intl.NumberFormat(language, {
      style: 'unit',
      unit: 'byte',
      unitDisplay: 'long',
    }).format(bytes)
  const kibibytes = Math.ceil(bytes / KIBIBYTE)
  return `${new Intl.NumberFormat(language).format(kibibytes)} KiB`
}

interface RefusalProps extends Pick<SettlementFile, 'format'> {
  readonly refusal: SettlementRefusal
}

/** Why a file was refused: the problem and its place. */
function Refusal({ refusal, format }: RefusalProps) {
  const { problem, line, field, column, expected, found } = refusal
  const { language } = useView()
  const formats = useFormats()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements
  // A table without any expected column names them all: every one is missing.
  const isOtherTable = problem === 'wrong-report' && formats.find(format)?.isTable === true
  const missing = isOtherTable ? expected : problem === 'missing-column' ? field : undefined
  const place = [
    line !== undefined && fill(texts.place.line, { line: formatCount(line, language) }),
    ...(missing === undefined
      ? [
          field !== undefined && fill(texts.place.field, { field }),
          column !== undefined && fill(texts.place.column, { column }),
          expected !== undefined && fill(texts.place.expected, { expected }),
          found !== undefined && fill(texts.place.found, { found }),
        ]
      : []),
  ].filter((part) => part !== false)
  return (
    <>
      {missing === undefined
        ? texts.problems[problem]
        : fill(texts.problems['missing-column'], {
            columns: missing.replaceAll(EITHER_COLUMN, texts.place.or),
          })}
      {place.length > 0 && ` (${place.join(', ')})`} {texts.nothingKept}
    </>
  )
}

function Results({ file: { id, results } }: { readonly file: SettlementFile }) {
  const { at, language } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements
  const found = SETTLEMENT_RESULTS.filter((result) => (results[result] ?? 0) > 0)
  return (
    <section class="card">
      <h2>{texts.file.results}</h2>
      <table class="list" aria-label={texts.file.results}>
        <thead>
          <tr>
            <th scope="col">{texts.lines.result}</th>
            <th scope="col" class="number">
              {texts.columns.lines}
            </th>
            <th scope="col">{texts.file.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {found.map((result) => (
            <tr>
              <th scope="row" data-label={texts.lines.result}>
                <a href={at(`/settlements/lines?file=${id}&result=${result}`)}>
                  {texts.results[result]}
                </a>
              </th>
              <td class="number" data-label={texts.columns.lines}>
                {formatCount(results[result] ?? 0, language)}
              </td>
              <td data-label={texts.file.meaning}>{texts.meanings[result]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Acts({ file: { id, format, state } }: { readonly file: SettlementFile }) {
  const { at } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements.file
  const mayRemove = format !== BANK_LIST && (state === 'ready' || state === 'refused')
  return (
    <>
      {state === 'ready' && (
        <section class="card">
          <h2>{texts.compareAgain}</h2>
          <p>{texts.compareText}</p>
          <PostForm action={at(`/settlements/files/${id}/compare`)}>
            <button class="quiet">{texts.compareAgain}</button>
          </PostForm>
        </section>
      )}
      {mayRemove && (
        <section class="card">
          <h2>{texts.remove}</h2>
          <p>{texts.removeText}</p>
          <PostForm action={at(`/settlements/files/${id}/remove`)}>
            <label class="choice">
              <input type="checkbox" name="confirm" value="yes" required />
              {texts.confirmRemove}
            </label>
            <button class="quiet">{texts.remove}</button>
          </PostForm>
        </section>
      )}
    </>
  )
}
