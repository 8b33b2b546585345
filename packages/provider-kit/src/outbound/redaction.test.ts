import { Secret } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { redacted } from './redaction.js'

describe('a provider’s text', () => {
  it.each([
    ['loses a bearer token', 'Bearer abc.def-123456 expired', '[hidden] expired'],
    ['loses a JWT', 'token eyJhbGciOiJIUzI1.eyJzdWIi.s1g refused', 'token [hidden] refused'],
    ['loses a token', 'invalid token: 0a1B2c3D4e5F6a7B8c9D', 'invalid token: [hidden]'],
    [
      'keeps words',
      'CobOperacaoInvalida: PIX_RECEBIMENTOS_INDISPONIVEL',
      'CobOperacaoInvalida: PIX_RECEBIMENTOS_INDISPONIVEL',
    ],
    ['loses a CPF', 'CPF 529.982.247-25 inválido', 'CPF [hidden] inválido'],
    ['loses a CPF without dots', 'CPF 52998224725', 'CPF [hidden]'],
    ['loses a CNPJ', 'CNPJ 11.222.333/0001-81', 'CNPJ [hidden]'],
    ['loses a phone number', 'chave +55 11 99999-8888', 'chave [hidden]'],
    ['loses an e-mail address', 'chave ana@example.com?', 'chave [hidden]'],
    ['loses one of another width', 'chave ana＠example.com?', 'chave [hidden]'],
    ['loses one with quotes', 'chave "ana souza"@example.com', 'chave [hidden][hidden]'],
    ['keeps amounts and dates', 'R$ 129.90 em 2026-11-22', 'R$ 129.90 em 2026-11-22'],
    ['becomes one line', 'a\r\n\tb\u2028c\u202e', 'a b c'],
  ])('%s', (_, text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  it('loses the given secrets, and is short', () => {
    expect(redacted('id s3cr3t', [new Secret('s3cr3t'), new Secret('')])).toBe('id [hidden]')
    expect(redacted('x'.repeat(100_000)).length).toBe(200)
  })
})
