import { useView } from '../frame/visit.js'
import { SEPARATORS } from './csv-format.js'

/** Links to the list of this page as a file, of all its pages. */
export function CsvLinks() {
  const { here, texts } = useView()
  const { pathname, searchParams } = new URL(here, 'http://panel.invalid')
  searchParams.delete('after')
  const addressOf = (separator: string): string => {
    searchParams.set('separator', separator)
    return `${pathname}.csv?${searchParams.toString()}`
  }
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
