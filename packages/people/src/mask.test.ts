import { describe, expect, it } from 'vitest'
import { maskDocument, maskEmail, maskName } from './mask.js'

describe('masks', () => {
  it.each([
    ['Maria de Souza', 'M**** d* S****'],
    ['José', 'J***'],
    ['É', 'É'],
    ['Ana  Lima', 'A**  L***'],
    ['𝒜na', '𝒜**'],
    ['', ''],
  ])('show of the name %j the first letters', (name, masked) => {
    expect(maskName(name)).toBe(masked)
  })

  it.each([
    ['52998224725', '***.***.***-25'],
    ['529.982.247-25', '***.***.***-25'],
    ['11222333000181', '**.***.***/****-81'],
    ['12ABC34501DE35', '**.***.***/****-35'],
    ['12.abc.345/01de-35', '**.***.***/****-35'],
    ['1234', '****'],
    ['', ''],
  ])('show of the document %j two digits', (document, masked) => {
    expect(maskDocument(document)).toBe(masked)
  })

  it.each([
    ['maria@example.com', 'm****@e******.com'],
    ['maria.souza@mail.example.com.br', 'm**********@m***************.br'],
    ['m@localhost', 'm@l********'],
    ['no e-mail', '*********'],
    ['', ''],
  ])('show of the e-mail %j its beginnings', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })
})
