import { addressWith } from '../part/pagination.js'
import { useTexts, useView } from '../visit/visit.js'
import { SEPARATORS } from './csv-format.js'
import { EXPORT_TEXTS } from './texts.js'

/** Links to download the whole list, all pages of it, as a file. */
export function CsvLinks() {
  const { here } = useView()
  const texts = useTexts(EXPORT_TEXTS).export
  const list = addressWith(here, 'after', undefined)
  const addressOf = (separator: string): string =>
    addressWith(list, 'separator', separator).replace('?', '.csv?')
  return (
    <span class="exports">
      {texts.title}
      {SEPARATORS.map((separator) => (
        <a href={addressOf(separator)} download>
          {texts.separators[separator]}
        </a>
      ))}
    </span>
  )
}
