import { addressWith } from '../frame/pagination.js'
import { useView } from '../frame/visit.js'
import { SEPARATORS } from './csv-format.js'

/** Links to the list of this page as a file, of all its pages. */
export function CsvLinks() {
  const { here, texts } = useView()
  const list = addressWith(here, 'after', undefined)
  const addressOf = (separator: string): string =>
    addressWith(list, 'separator', separator).replace('?', '.csv?')
  return (
    <span class="exports">
      {texts.export.title}
      {SEPARATORS.map((separator) => (
        <a href={addressOf(separator)} download>
          {texts.export.separators[separator]}
        </a>
      ))}
    </span>
  )
}
