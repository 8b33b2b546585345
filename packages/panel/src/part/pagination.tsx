import { useView } from '../visit/visit.js'

interface PaginationProps {
  /** The address of the next page; undefined on the last one. */
  readonly next: string | undefined
  /** Default: the text of a next page. */
  readonly nextText?: string | undefined
}

/** Links to the first and the next page of a list whose pages are not counted. */
export function Pagination({ next, nextText }: PaginationProps) {
  const { here, texts } = useView()
  const isFirst = !new URL(here, 'http://panel.invalid').searchParams.has('after')
  if (isFirst && next === undefined) return null
  return (
    <nav class="pagination" aria-label={texts.frame.pagination}>
      {!isFirst && (
        <a class="button quiet" href={addressWith(here, 'after', undefined)}>
          {texts.frame.first}
        </a>
      )}
      {next !== undefined && (
        <a class="button quiet" rel="next" href={addressWith(here, 'after', next)}>
          {nextText ?? texts.frame.next}
        </a>
      )}
    </nav>
  )
}

/**
 * The address of a page with another value of one field, or without it. Empty fields are left out.
 */
export function addressWith(here: string, name: string, value: string | undefined): string {
  const { pathname, searchParams } = new URL(here, 'http://panel.invalid')
  searchParams.set(name, value ?? '')
  const given = [...searchParams].filter(([, text]) => text !== '')
  const query = new URLSearchParams(given).toString()
  return query === '' ? pathname : `${pathname}?${query}`
}
