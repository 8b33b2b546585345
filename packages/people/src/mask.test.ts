import { describe, expect, it } from 'vitest'
import { maskDocument, maskName } from './mask.js'

describe('masks', () => {
  it.each([
    ['Maria de Souza', 'M**** d* S****'],
    ['Érica José'.normalize('NFD'), 'Érica'.normalize('NFD').slice(0, 2) + '**** J***'],
    ['José', 'J***'],
    ['É', 'É'],
    ['Ana  Lima', 'A**  L***'],
    ['𝒜na', '𝒜**'],
    ['', ''],
  ])('show of the name %j the first letters', (name, masked) => {
    expect(maskName(name)).toBe(masked)
  })

  it.each([
    ['52998224725', '***.982.247-**'],
    ['529.982.247-25', '***.982.247-**'],
    ['11222333000181', '**.222.333/****-**'],
    ['12ABC34501DE35', '**.ABC.345/****-**'],
    ['12.abc.345/01de-35', '**.ABC.345/****-**'],
    ['1234', '****'],
    ['', ''],
  ])('show of the document %j its middle', (document, masked) => {
    expect(maskDocument(document)).toBe(masked)
  })
})
