import vm from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'
import ts from 'typescript'
import { shareGlobal } from './shared-global.js'

let page: vm.Context

/** The fields' script, on a page of its own. */
function loadFields(): void {
  const { outputText } = ts.transpileModule(`(${shareGlobal.toString()})`, {})
  vm.runInContext(`${outputText.replace(/;\s*$/, '')}('Cofre', { CardFields: 'fields' })`, page)
}
/** The code that rollup writes for the library. */
const loadLibrary = (release = 'library'): void => {
  vm.runInContext(
    `var Cofre = (function (e) { e.PaymentMethod = '${release}'; return e })({})`,
    page,
  )
}
const members = (): unknown =>
  vm.runInContext('JSON.parse(JSON.stringify({ ...Cofre, ...window.Cofre }))', page) as unknown

beforeEach(() => {
  page = vm.createContext({})
  vm.runInContext('var window = globalThis', page)
})

const BOTH = { CardFields: 'fields', PaymentMethod: 'library' }

describe('the global', () => {
  it('has both scripts when the fields come first', () => {
    loadFields()
    loadLibrary()
    expect(members()).toEqual(BOTH)
  })

  it('has both scripts when the library comes first', () => {
    loadLibrary()
    loadFields()
    expect(members()).toEqual(BOTH)
  })

  it('has both when each comes twice', () => {
    loadFields()
    loadLibrary('older')
    loadFields()
    loadLibrary()
    expect(members()).toEqual(BOTH)
  })

  it('has the fields alone', () => {
    loadFields()
    expect(members()).toEqual({ CardFields: 'fields' })
  })

  it('is not an element that has its name', () => {
    vm.runInContext(
      `Object.setPrototypeOf(globalThis, Object.create(Object.getPrototypeOf(globalThis), {
        Cofre: { value: Object.freeze({ isElement: true }), configurable: true },
      }))`,
      page,
    )
    loadFields()
    expect(members()).toEqual({ CardFields: 'fields' })
  })
})
