import { fill } from '@cofre/pages'
import { formatCount } from '../text/format.js'
import { useView } from './visit.js'

const PAGE_SIZE = 20
const PAGE_MAX = 100_000

/** The page of a list that an address asks for, from 1. */
export function readPage(text: string | undefined) {
  const page = Number(text ?? '1')
  const isPage = Number.isSafeInteger(page) && page >= 1 && page <= PAGE_MAX
  return { page: isPage ? page : 1, pageSize: PAGE_SIZE }
}

/** Links to the pages of a list of so many, keeping its filter. */
export function Pagination({ found }: { readonly found: number }) {
  const { here, language, texts } = useView()
  const { pathname, searchParams } = new URL(here, 'http://panel.invalid')
  const { page } = readPage(searchParams.get('page') ?? undefined)
  const pages = Math.ceil(found / PAGE_SIZE)
  if (pages <= 1) return null
  const at = (number: number): string => formatCount(number, language)
  const addressOf = (number: number): string => {
    searchParams.set('page', String(number))
    return `${pathname}?${searchParams.toString()}`
  }
  return (
    <nav class="pagination" aria-label={texts.frame.pagination}>
      {page > 1 && (
        <a class="button quiet" rel="prev" href={addressOf(page - 1)}>
          {texts.frame.previous}
        </a>
      )}
      <span>{fill(texts.frame.pageOf, { page: at(page), pages: at(pages) })}</span>
      {page < pages && (
        <a class="button quiet" rel="next" href={addressOf(page + 1)}>
          {texts.frame.next}
        </a>
      )}
    </nav>
  )
}
